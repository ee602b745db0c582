/** What a part looks like in triangles; `routh/view/parts.py` says which parts there are. */

const TAU = 2 * Math.PI;
const STRIPE = 0.78; // tone of the fields that show how a round body turns
const LIFT = 0.03; // of the depth of a planar body between its layers
const EDGE = 0.6; // tone of outlines and of the sides of extruded bodies

/** Add the triangles of `part` to `out`. `look` has THREE, planar, grain (size of what is seen), depth, fine. */
export function build(part, look, out) {
  BUILDERS[part.kind](part, look, out);
}

const vector = (look, p) => new look.THREE.Vector3(...p);

function placing(look, part) {
  const [w, x, y, z] = part.turn;
  const { THREE } = look;
  return new THREE.Matrix4().compose(
    vector(look, part.point),
    new THREE.Quaternion(x, y, z, w),
    new THREE.Vector3(1, 1, 1),
  );
}

/** The way from the y axis of the unit geometries of three.js onto the segment from start to end. */
function along(look, start, end) {
  const { THREE } = look;
  const way = end.clone().sub(start);
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.clone().normalize());
  return new THREE.Matrix4().compose(start.clone().lerp(end, 0.5), turn, new THREE.Vector3(1, 1, 1));
}

/** A filled outline in the plane, extruded, with a darker rim; parts that lie on others are only their front. */
function polygon(part, look, out) {
  const { THREE, depth } = look;
  const tone = part.tone ?? 1;
  const lift = part.lift ?? 0;
  const outline = part.points.map((p) => new THREE.Vector2(p[0], p[1]));
  if (THREE.ShapeUtils.isClockWise(outline)) outline.reverse();
  const front = (0.5 + LIFT * lift) * depth;
  for (const face of THREE.ShapeUtils.triangulateShape(outline, []))
    for (const k of face) out.corner(outline[k].x, outline[k].y, front, 0, 0, 1, tone);
  if (lift > 0) return;
  const n = outline.length;
  const size = Math.max(...outline.map((p) => p.x)) - Math.min(...outline.map((p) => p.x));
  const tall = Math.max(...outline.map((p) => p.y)) - Math.min(...outline.map((p) => p.y));
  const rim = Math.min(0.0035 * look.grain, 0.09 * Math.min(size, tall));
  const inner = outline.map((p, k) => inset(outline[(k + n - 1) % n], p, outline[(k + 1) % n], rim));
  for (let k = 0; k < n; k++) {
    const [p, q] = [outline[k], outline[(k + 1) % n]];
    const [a, b] = [inner[k], inner[(k + 1) % n]];
    const z = front + 0.02 * depth;
    out.quad([[p.x, p.y, z], [q.x, q.y, z], [b[0], b[1], z], [a[0], a[1], z]], [0, 0, 1], EDGE * tone);
    const length = Math.hypot(q.x - p.x, q.y - p.y) || 1;
    const normal = [(q.y - p.y) / length, (p.x - q.x) / length, 0];
    const back = -0.5 * depth;
    out.quad([[p.x, p.y, front], [p.x, p.y, back], [q.x, q.y, back], [q.x, q.y, front]], normal, EDGE * tone);
  }
}

/** A corner moved inward by `width`, no farther than three times that at a sharp one. */
function inset(before, corner, after, width) {
  const u = after.clone().sub(corner).normalize();
  const v = corner.clone().sub(before).normalize();
  const [nx, ny] = [-(u.y + v.y), u.x + v.x];
  const size = nx * nx + ny * ny;
  const reach = size > 1e-12 ? Math.min(2 / size, 3 / Math.sqrt(size)) * width : 0;
  return [corner.x + reach * nx, corner.y + reach * ny];
}

/** Terrain in the plane: a road of some width, and below its edge a band that fades. */
function curve(part, look, out) {
  const points = part.points;
  const ways = points.slice(1).map((q, k) => {
    const length = Math.hypot(q[0] - points[k][0], q[1] - points[k][1]) || 1;
    return [(q[0] - points[k][0]) / length, (q[1] - points[k][1]) / length];
  });
  const closed = points[0].every((x, k) => x === points.at(-1)[k]);
  const inner = points.map((p, i) => {
    // at a corner the mean of both ways; a closed curve has a corner where it began
    const [u, v] = closed ? [ways.at(i - 1), ways[i % ways.length]] : [ways[i - 1] ?? ways[i], ways[i] ?? ways[i - 1]];
    const way = [u[0] + v[0], u[1] + v[1]];
    const length = Math.hypot(...way) || 1;
    return [p[0] + (band(look) * way[1]) / length, p[1] - (band(look) * way[0]) / length]; // on the right of the way
  });
  for (let k = 0; k + 1 < points.length; k++)
    slab(look, out, points[k], points[k + 1], inner[k], inner[k + 1], [-ways[k][1], ways[k][0], 0]);
}

const band = (look) => 0.055 * look.grain;

/** The front of the ground, which fades away from its edge, the edge itself, and the road behind it. */
function slab(look, out, p, q, pIn, qIn, normal) {
  const wide = 4 * look.depth;
  const front = 0.5 * look.depth;
  const line = 0.1;
  const mix = (a, b) => [a[0] + line * (b[0] - a[0]), a[1] + line * (b[1] - a[1]), front];
  out.quad([[p[0], p[1], front], mix(p, pIn), mix(q, qIn), [q[0], q[1], front]], [0, 0, 1], 0.75);
  out.quad([mix(p, pIn), [pIn[0], pIn[1], front], [qIn[0], qIn[1], front], mix(q, qIn)], [0, 0, 1], 1, [0.75, 0, 0, 0.75]);
  out.quad([[p[0], p[1], front], [q[0], q[1], front], [q[0], q[1], -wide], [p[0], p[1], -wide]], normal, 1.1, [1, 1, 0.2, 0.2]);
}

/** A floor or wall without end: in the plane an edge, in space a sheet that fades outward, or a pane of glass for a wall. */
function halfspace(part, look, out) {
  const { THREE, size, middle, planar, up } = look;
  const normal = vector(look, part.normal);
  const centre = vector(look, middle);
  const foot = centre.clone().addScaledVector(normal, -centre.clone().sub(vector(look, part.point)).dot(normal));
  if (planar) {
    const far = 4 * size;
    const way = [normal.y * far, -normal.x * far];
    const p = [foot.x - way[0], foot.y - way[1]];
    const q = [foot.x + way[0], foot.y + way[1]];
    const deep = (a) => [a[0] - band(look) * normal.x, a[1] - band(look) * normal.y];
    slab(look, out, p, q, deep(p), deep(q), [normal.x, normal.y, 0]);
    return;
  }
  const side = Math.abs(normal.z) < 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
  const u = side.cross(normal).normalize();
  const v = normal.clone().cross(u);
  const floor = normal.dot(new THREE.Vector3(...up)) > 0.5;
  if (!floor) return pane(look, out, foot, normal);
  const at = (r, k) => foot.clone().addScaledVector(u, r * Math.cos(k)).addScaledVector(v, r * Math.sin(k)).toArray();
  const rings = [0, 0.5, 1.1];
  for (let k = 0; k < 48; k++)
    for (let j = 0; j < 2; j++) {
      const [a, b] = [(k * TAU) / 48, ((k + 1) * TAU) / 48];
      const [r, s] = [rings[j] * size, rings[j + 1] * size];
      const fade = [0.9, 0.75, 0][j + 1];
      const near = [0.9, 0.75, 0][j];
      out.quad([at(r, a), at(s, a), at(s, b), at(r, b)], normal.toArray(), 1, [near, fade, fade, near]);
    }
}

/** A wall in space, as large as the box that holds the motion, nearly clear. */
function pane(look, out, foot, normal) {
  const { low, high } = look;
  const axis = [0, 1, 2].reduce((best, k) => (Math.abs(normal.getComponent(k)) > Math.abs(normal.getComponent(best)) ? k : best), 0);
  const [i, j] = [0, 1, 2].filter((k) => k !== axis);
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([a, b]) => {
    const p = [0, 0, 0];
    p[i] = (a ? high : low)[i];
    p[j] = (b ? high : low)[j];
    p[axis] = (normal.dot(foot) - normal.getComponent(i) * p[i] - normal.getComponent(j) * p[j]) / normal.getComponent(axis);
    return p;
  });
  out.quad(corners, normal.toArray(), 1, [0.14, 0.14, 0.14, 0.14]);
}

/** A ball with darker octants, which show turns about any axis. */
function ball(part, look, out) {
  const { THREE, fine } = look;
  const tone = part.tone ?? 1;
  const place = placing(look, part).scale(new THREE.Vector3(...part.axes));
  const octant = (m) => (m.x * m.y * m.z > 0 ? tone : STRIPE * tone);
  out.add(new THREE.SphereGeometry(1, fine ? 32 : 14, fine ? 24 : 10), part.tone ? tone : octant, place);
}

/** A cylinder or capsule with darker quarters. */
function tube(part, look, out) {
  const { THREE, fine } = look;
  const [start, end] = [vector(look, part.start), vector(look, part.end)];
  const length = start.distanceTo(end);
  const tone = part.tone ?? 1;
  const quarter = (m) => (m.x * m.z > 0 ? tone : STRIPE * tone);
  const around = fine ? 32 : 16;
  const geometry = part.round
    ? new THREE.CapsuleGeometry(part.radius, length, 6, around)
    : new THREE.CylinderGeometry(part.radius, part.radius, length, around);
  out.add(geometry, part.tone ? tone : quarter, along(look, start, end));
}

function box(part, look, out) {
  out.add(new look.THREE.BoxGeometry(...part.size), part.tone ?? 1, placing(look, part));
}

function hull(part, look, out) {
  const geometry = new look.THREE.BufferGeometry();
  geometry.setAttribute(
    "position",
    new look.THREE.Float32BufferAttribute(
      part.faces.flat().flatMap((i) => part.points[i]),
      3,
    ),
  );
  out.add(geometry, part.tone ?? 1);
}

/** A bent wire: straight pieces one after the other. */
function wire(part, look, out) {
  const { THREE, planar, depth } = look;
  for (let k = 0; k + 1 < part.points.length; k++) {
    const [p, q] = [part.points[k], part.points[k + 1]];
    if (planar) {
      const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
      const [x, y] = [(-part.radius * (q[1] - p[1])) / length, (part.radius * (q[0] - p[0])) / length];
      const z = (0.5 + LIFT * (part.lift ?? 0)) * depth;
      const corners = [[p[0] - x, p[1] - y, z], [q[0] - x, q[1] - y, z], [q[0] + x, q[1] + y, z], [p[0] + x, p[1] + y, z]];
      out.quad(corners, [0, 0, 1], part.tone ?? 1);
    } else {
      const [start, end] = [vector(look, p), vector(look, q)];
      const piece = new THREE.CapsuleGeometry(part.radius, start.distanceTo(end), 2, 8);
      out.add(piece, part.tone ?? 1, along(look, start, end));
    }
  }
}

/** A segment without a width of its own. */
function bar(part, look, out) {
  const length = Math.hypot(...part.end.map((x, k) => x - part.start[k]));
  wire({ points: [part.start, part.end], radius: Math.min(look.radius, 0.03 * length) || 1e-9, tone: part.tone }, look, out);
}

function dot(part, look, out) {
  const { THREE, planar, depth } = look;
  const size = 0.7 * look.radius;
  const shape = planar ? new THREE.CircleGeometry(size, 20) : new THREE.SphereGeometry(size, 12, 8);
  const place = new THREE.Matrix4().makeTranslation(part.point[0], part.point[1], part.point[2] + (planar ? 0.6 * depth : 0));
  out.add(shape, 0.6, place);
}

const BUILDERS = { polygon, curve, halfspace, ball, tube, box, hull, wire, bar, dot };
