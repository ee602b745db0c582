/** What a part looks like in three dimensions; `routh/view/parts.py` says which parts there are. */

const TAU = 2 * Math.PI;

/** An object for `part`. `look` has THREE, the materials fill, line and strong, middle, size and (fine) grain of the scene. */
export function build(part, look) {
  return BUILDERS[part.kind](part, look);
}

const vector = (look, p) => new look.THREE.Vector3(...p);

function placed(object, part) {
  object.position.set(...part.point);
  const [w, x, y, z] = part.turn;
  object.quaternion.set(x, y, z, w);
  return object;
}

function solid(geometry, look, edges) {
  const group = new look.THREE.Group();
  group.add(new look.THREE.Mesh(geometry, look.fill));
  if (edges) group.add(new look.THREE.LineSegments(new look.THREE.EdgesGeometry(geometry, 30), look.line));
  return group;
}

function polygon(part, { THREE, fill, line }) {
  const outline = part.points.map((p) => new THREE.Vector2(p[0], p[1]));
  const group = new THREE.Group();
  group.add(new THREE.Mesh(new THREE.ShapeGeometry(new THREE.Shape(outline)), fill));
  group.add(
    new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(part.points.map((p) => new THREE.Vector3(...p))), line),
  );
  return group;
}

/** Terrain: its line, and a band below it that fades into the solid side. */
function curve(part, look) {
  const { THREE, fill, line, grain } = look;
  const points = part.points.map((p) => vector(look, p));
  const group = new THREE.Group();
  group.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), line));
  const closed = points[0].equals(points.at(-1));
  const ways = points.slice(1).map((point, i) => point.clone().sub(points[i]).normalize());
  const inner = points.map((point, i) => {
    // at a corner the mean of both ways; a closed curve has a corner where it began
    const [before, after] = closed ? [ways.at(i - 1), ways[i % ways.length]] : [ways[i - 1] ?? ways[i], ways[i] ?? ways[i - 1]];
    const way = before.clone().add(after);
    return new THREE.Vector3(way.y, -way.x, 0).setLength(0.025 * grain).add(point); // on the right of the way
  });
  const corners = ways.flatMap((_, i) => [points[i], inner[i], inner[i + 1], points[i], inner[i + 1], points[i + 1]]);
  group.add(new THREE.Mesh(new THREE.BufferGeometry().setFromPoints(corners), fill));
  return group;
}

/** A floor: a large sheet, in the plane a large filled rectangle behind its edge. */
function halfspace(part, look) {
  const { THREE, fill, line, size, planar } = look;
  const normal = vector(look, part.normal);
  const group = new THREE.Group();
  const wide = 6 * size;
  if (planar) {
    const sheet = new THREE.Mesh(new THREE.PlaneGeometry(2 * wide, wide), fill);
    sheet.position.y = -0.5 * wide;
    group.add(
      sheet,
      new THREE.Line(
        new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(-wide, 0, 0), new THREE.Vector3(wide, 0, 0)]),
        line,
      ),
    );
    group.rotation.z = Math.atan2(normal.y, normal.x) - 0.25 * TAU;
  } else {
    const sheet = new THREE.Mesh(new THREE.CircleGeometry(1.2 * size, 64), fill);
    const grid = new THREE.GridHelper(1.6 * size, 16, line.color, line.color);
    grid.material = line;
    grid.rotation.x = 0.25 * TAU;
    grid.position.z = 1e-3 * size;
    sheet.position.z = -1e-3 * size;
    group.add(sheet, grid);
    group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
  }
  // the foot of the scene's middle, so that the sheet lies where things happen
  const middle = vector(look, look.middle);
  const foot = middle.sub(normal.clone().multiplyScalar(middle.clone().sub(vector(look, part.point)).dot(normal)));
  group.position.copy(foot);
  return group;
}

/** Three great circles show how a ball turns. */
function ball(part, look) {
  const { THREE, line } = look;
  const group = solid(new THREE.SphereGeometry(1, 32, 20), look, false);
  for (const turn of [
    [0, 0],
    [0.25 * TAU, 0],
    [0, 0.25 * TAU],
  ]) {
    const ring = Array.from({ length: 48 }, (_, k) => new THREE.Vector3(Math.cos((k * TAU) / 48), Math.sin((k * TAU) / 48), 0));
    const circle = new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(ring), line);
    circle.rotation.set(turn[0], turn[1], 0);
    circle.scale.setScalar(1.004);
    group.add(circle);
  }
  group.scale.set(...part.axes);
  return placed(group, part);
}

function tube(part, look) {
  const { THREE } = look;
  const way = vector(look, part.end).sub(vector(look, part.start));
  const length = way.length();
  const geometry = part.round
    ? new THREE.CapsuleGeometry(part.radius, length, 8, 24)
    : new THREE.CylinderGeometry(part.radius, part.radius, length, 32);
  const group = solid(geometry, look, !part.round);
  const stripe = part.round
    ? [
        [part.radius, -0.5 * length],
        [part.radius, 0.5 * length],
      ]
    : [
        [0, -0.5 * length],
        [part.radius, -0.5 * length],
        [part.radius, 0.5 * length],
        [0, 0.5 * length],
      ];
  group.add(
    new THREE.Line(
      new THREE.BufferGeometry().setFromPoints(stripe.map(([x, y]) => new THREE.Vector3(1.003 * x, 1.003 * y, 0))),
      look.line,
    ),
  );
  group.position.copy(vector(look, part.start).addScaledVector(way, 0.5));
  group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
  return group;
}

function box(part, look) {
  return placed(solid(new look.THREE.BoxGeometry(...part.size), look, true), part);
}

function hull(part, look) {
  const geometry = new look.THREE.BufferGeometry();
  geometry.setAttribute(
    "position",
    new look.THREE.Float32BufferAttribute(
      part.faces.flat().flatMap((i) => part.points[i]),
      3,
    ),
  );
  geometry.computeVertexNormals();
  return solid(geometry, look, true);
}

/** A thin line of the mechanism: a strip in the plane, a rod in space. */
function bar(part, look) {
  const { THREE, grain, planar } = look;
  const [start, end] = [vector(look, part.start), vector(look, part.end)];
  const length = start.distanceTo(end);
  const width = Math.min(0.004 * grain, 0.06 * length); // half of it
  const geometry = planar ? new THREE.PlaneGeometry(2 * width, length) : new THREE.CylinderGeometry(width, width, length, 8);
  const mesh = new THREE.Mesh(geometry, look.strong);
  mesh.position.copy(start).lerp(end, 0.5);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), end.sub(start).normalize());
  return mesh;
}

function dot(part, look) {
  const { THREE, grain, planar } = look;
  const geometry = planar ? new THREE.CircleGeometry(0.008 * grain, 12) : new THREE.SphereGeometry(0.008 * grain, 10, 6);
  const mesh = new THREE.Mesh(geometry, look.strong);
  mesh.position.set(...part.point);
  return mesh;
}

const BUILDERS = { polygon, curve, halfspace, ball, tube, box, hull, bar, dot };
