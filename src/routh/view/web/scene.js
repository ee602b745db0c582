/** The moving picture: bodies at the poses of a run, links between them, paths of their mass centres. */

import { build } from "./parts.js";

const BODIES = ["#2f7fc1", "#d9822b", "#3f9b6c", "#b5477d", "#7a63b8", "#c2a32e", "#3aa3a8", "#a65e3a"];
const THEMES = {
  light: { back: "#f7f8fa", ground: "#c9ced6", groundLine: "#8a929e", edge: "#20252c", mark: "#c0261c" },
  dark: { back: "#161a20", ground: "#343b45", groundLine: "#6c7683", edge: "#e4e8ee", mark: "#ff6a5e" },
};
const COILS = 40; // points of a spring

/** Whether the processor does the work of a graphics card: then smooth edges cost too much. */
function software() {
  const pen = document.createElement("canvas").getContext("webgl2");
  const names = pen?.getExtension("WEBGL_debug_renderer_info");
  const name = names ? pen.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  pen?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

/** The same objects as one group with one mesh per material and one set of lines: few calls to the graphics card. */
function merged(THREE, objects) {
  const root = new THREE.Group();
  for (const object of objects) root.add(object);
  root.updateMatrixWorld(true);
  const groups = new Map();
  root.traverse((object) => {
    if (!object.geometry) return;
    const corners = object.geometry.index ? object.geometry.toNonIndexed() : object.geometry;
    const { position, normal } = corners.applyMatrix4(object.matrixWorld).attributes;
    const points = Array.from({ length: position.count }, (_, k) => [position.getX(k), position.getY(k), position.getZ(k)]);
    const [isLine, isChain] = [Boolean(object.isLine), Boolean(object.isLine) && !object.isLineSegments];
    const ends = object.isLineLoop ? [...points, points[0]] : points;
    const wanted = isChain ? ends.slice(1).flatMap((point, k) => [ends[k], point]) : points;
    const entry = groups.get(object.material) ?? { isLine, points: [], normals: [] };
    for (const point of wanted) entry.points.push(...point);
    if (!isLine)
      for (let k = 0; k < position.count; k++)
        entry.normals.push(normal?.getX(k) ?? 0, normal?.getY(k) ?? 0, normal?.getZ(k) ?? 1);
    groups.set(object.material, entry);
    corners.dispose();
  });
  const out = new THREE.Group();
  for (const [material, { isLine, points, normals }] of groups) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    if (!isLine) geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
    out.add(isLine ? new THREE.LineSegments(geometry, material) : new THREE.Mesh(geometry, material));
  }
  return out;
}

export class Scene {
  /** Draws into `host`; `three` has THREE and OrbitControls. Throws where the browser has no WebGL. */
  constructor(host, three, dark) {
    this.host = host;
    this.three = three;
    this.dark = dark;
    this.options = { paths: true, follow: false };
    const slow = software();
    this.renderer = new three.THREE.WebGLRenderer({ antialias: !slow, powerPreference: "low-power" });
    this.renderer.setPixelRatio(slow ? 1 : Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", "moving picture of the bodies");
    host.append(this.renderer.domElement);
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(host);
    this.frames = 0;
  }

  /** Show another run. Objects and camera stay if it has the same bodies: making them anew costs most of a picture. */
  load(run) {
    const { low, high, up, bodies, parts, links } = run.document.scene;
    const place = JSON.stringify([run.document.space, up, bodies, parts, links]);
    this.run = run;
    this.middle = low.map((x, k) => 0.5 * (x + high[k]));
    this.size = Math.hypot(...high.map((x, k) => x - low[k])) || 1;
    if (place === this.place) {
      this.paths.forEach((path, i) => this.trace(path, i));
      return;
    }
    this.place = place;
    this.aim();
    this.rebuild();
  }

  colour(index) {
    return BODIES[this.run.document.scene.colours[index] % BODIES.length];
  }

  /** What lines and dots are measured against: the size of what is seen. */
  get grain() {
    return this.options.follow ? Math.min(this.size, 1.2 * this.run.document.scene.span) : this.size;
  }

  get planar() {
    return this.run.document.space === "planar";
  }

  /** The camera that sees everything, or that sees the bodies while it follows them. */
  aim() {
    const { THREE, OrbitControls } = this.three;
    this.controls?.dispose();
    const { low, high, span, up } = this.run.document.scene;
    const { follow } = this.options;
    const middle = follow ? this.centre() : new THREE.Vector3(...this.middle);
    this.view = follow ? [1.2 * span, 1.2 * span] : [high[0] - low[0], high[1] - low[1]]; // width and height in the plane
    if (this.planar) {
      this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -100 * this.size, 100 * this.size);
      this.camera.position.copy(middle).add(new THREE.Vector3(0, 0, 10 * this.size));
    } else {
      // from above the shoulder
      const wide = follow ? 1.2 * span : this.size;
      this.camera = new THREE.PerspectiveCamera(35, 1, 1e-3 * wide, 100 * this.size);
      this.camera.up.set(...up);
      const side = Math.abs(up[2]) > 0.9 ? new THREE.Vector3(0.45, -1, 0) : new THREE.Vector3(0.45, 0, 1);
      const back = side.addScaledVector(this.camera.up, -side.dot(this.camera.up)).normalize();
      back.addScaledVector(this.camera.up, 0.4).normalize();
      this.camera.position.copy(middle).addScaledVector(back, 1.75 * wide);
    }
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.target.copy(middle);
    this.controls.update();
    this.controls.enableRotate = !this.planar;
    if (this.planar) this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
    this.controls.addEventListener("change", () => this.draw());
    this.followed = follow ? middle.clone() : null;
    this.resize();
  }

  /** The mean place of the bodies now. */
  centre() {
    const { poses, t } = this.run;
    const count = poses.length / t.length / 7;
    const first = this.run.locate(this.time ?? this.run.start)[0] * 7 * count;
    const sum = new this.three.THREE.Vector3();
    for (let b = 0; b < count; b++) sum.add(new this.three.THREE.Vector3(...poses.subarray(first + 7 * b, first + 7 * b + 3)));
    return sum.divideScalar(count);
  }

  setDark(dark) {
    this.dark = dark;
    if (this.run) this.rebuild();
  }

  /** Make all objects anew. */
  rebuild() {
    const { THREE } = this.three;
    const theme = THEMES[this.dark ? "dark" : "light"];
    this.release();
    this.world = new THREE.Scene();
    this.world.background = new THREE.Color(theme.back);
    const sun = new THREE.DirectionalLight("#ffffff", 1.8);
    sun.position.set(0.5, -0.7, 1).add(new THREE.Vector3(...this.run.document.scene.up).multiplyScalar(1.5));
    this.world.add(new THREE.AmbientLight("#ffffff", 1.5), sun);
    const { parts, bodies, links } = this.run.document.scene;
    this.bodies = parts.map((own, i) => this.body(own, i, i === bodies.length, theme));
    this.world.add(...this.bodies);
    this.links = links.map((link) => this.link(link, theme));
    this.paths = bodies.map((_, i) => this.path(i));
    this.world.add(...this.links.map((link) => link.line), ...this.paths);
    this.mark = new THREE.Mesh(
      new THREE.SphereGeometry(0.012 * this.grain, 16, 12),
      new THREE.MeshBasicMaterial({ color: theme.mark, depthTest: false }),
    );
    this.mark.renderOrder = 9;
    this.mark.visible = false;
    this.world.add(this.mark);
    this.show(this.time ?? this.run.start);
  }

  body(parts, index, ground, theme) {
    const { THREE } = this.three;
    const color = ground ? theme.ground : this.colour(index);
    const flat = { color, transparent: true, opacity: ground ? 0.6 : 0.7, side: THREE.DoubleSide, depthWrite: !this.planar };
    const fill = this.planar
      ? new THREE.MeshBasicMaterial(flat)
      : new THREE.MeshLambertMaterial({ color, side: THREE.DoubleSide, transparent: ground, opacity: ground ? 0.55 : 1 });
    const strong = new THREE.MeshBasicMaterial({ color: ground ? theme.groundLine : this.planar ? color : theme.edge });
    const line = new THREE.LineBasicMaterial({
      color: ground ? theme.groundLine : theme.edge,
      transparent: true,
      opacity: ground ? 0.5 : 0.85,
    });
    const { size, grain, middle, planar } = this;
    const look = { THREE, fill, line, strong, size, grain, middle, planar };
    const group = merged(
      THREE,
      parts.map((part) => build(part, look)),
    );
    group.traverse((object) => {
      object.renderOrder = ground ? 0 : index + 1;
    });
    return group;
  }

  link(link, theme) {
    const { THREE } = this.three;
    const count = link.kind === "spring" ? COILS : 2;
    const geometry = new THREE.BufferGeometry().setAttribute(
      "position",
      new THREE.BufferAttribute(new Float32Array(3 * count), 3),
    );
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: theme.edge, transparent: true, opacity: 0.75 }));
    line.frustumCulled = false;
    return { ...link, line, count };
  }

  path(index) {
    const { THREE } = this.three;
    const look = { color: this.colour(index), transparent: true, opacity: 0.45 };
    const line = new THREE.Line(undefined, new THREE.LineBasicMaterial(look));
    line.visible = this.options.paths;
    return this.trace(line, index);
  }

  /** Lay a path through the places of a body. */
  trace(line, index) {
    const { poses, t } = this.run;
    const stride = poses.length / t.length;
    const points = [];
    for (let i = 0; i < t.length; i++) {
      const place = poses.subarray(i * stride + 7 * index, i * stride + 7 * index + 3);
      if (place.every(Number.isFinite)) points.push(new this.three.THREE.Vector3(...place));
    }
    line.geometry.dispose();
    line.geometry = new this.three.THREE.BufferGeometry().setFromPoints(points);
    return line;
  }

  set(option, value) {
    this.options[option] = value;
    if (option === "paths") for (const path of this.paths) path.visible = value;
    if (option === "follow") {
      this.aim();
      this.rebuild();
    }
    this.show(this.time);
  }

  /** Put every body where it is at time t. */
  show(t) {
    const { poses } = this.run;
    const stride = poses.length / this.run.t.length;
    const [i, f] = this.run.locate(t);
    this.time = t;
    const { THREE } = this.three;
    const here = new THREE.Vector3();
    let count = 0;
    for (let b = 0; b < this.bodies.length - 1; b++) {
      const at = i * stride + 7 * b;
      const pose = poses.subarray(at, at + 7);
      const object = this.bodies[b];
      object.visible = pose.every(Number.isFinite);
      if (!object.visible) continue;
      object.position.set(pose[0], pose[1], pose[2]);
      object.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
      if (f) {
        const next = poses.subarray(at + stride, at + stride + 7);
        if (next.every(Number.isFinite)) {
          object.position.lerp(new THREE.Vector3(next[0], next[1], next[2]), f);
          object.quaternion.slerp(new THREE.Quaternion(next[4], next[5], next[6], next[3]), f);
        }
      }
      here.add(object.position);
      count++;
    }
    for (const link of this.links) this.stretch(link);
    if (this.options.follow && count) this.follow(here.divideScalar(count));
    this.draw();
  }

  /** The camera keeps its place beside the middle of the bodies. */
  follow(here) {
    if (this.followed) {
      const step = here.clone().sub(this.followed);
      this.camera.position.add(step);
      this.controls.target.add(step);
    }
    this.followed = here.clone();
  }

  stretch({ kind, a, b, point_a, point_b, line, count }) {
    const { THREE } = this.three;
    const ends = [
      [a, point_a],
      [b, point_b],
    ].map(([body, point]) => {
      const object = this.bodies[body];
      return new THREE.Vector3(...point).applyQuaternion(object.quaternion).add(object.position);
    });
    const way = ends[1].clone().sub(ends[0]);
    const across = Math.abs(way.z) < 0.9 * way.length() ? new THREE.Vector3(-way.y, way.x, 0) : new THREE.Vector3(1, 0, 0);
    across.setLength(kind === "spring" ? 0.012 * this.grain : 0);
    const over = this.planar ? new THREE.Vector3() : way.clone().normalize().cross(across);
    const positions = line.geometry.attributes.position;
    for (let k = 0; k < count; k++) {
      const s = k / (count - 1);
      const coiled = s > 0.1 && s < 0.9 ? 1 : 0;
      const point = ends[0]
        .clone()
        .addScaledVector(way, s)
        .addScaledVector(across, coiled * Math.cos(2 * k))
        .addScaledVector(over, coiled * Math.sin(2 * k));
      positions.setXYZ(k, point.x, point.y, point.z);
    }
    positions.needsUpdate = true;
  }

  /** Point at a place of the world, or at none. */
  point(place) {
    this.mark.visible = Boolean(place?.every(Number.isFinite));
    if (this.mark.visible) this.mark.position.set(place[0], place[1], place[2] ?? 0);
    this.draw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height || !this.camera) return;
    this.renderer.setSize(width, height, false);
    if (this.planar) {
      const tall = 0.53 * Math.max(this.view[1], (this.view[0] * height) / width, 1e-9);
      Object.assign(this.camera, { top: tall, bottom: -tall, left: (-tall * width) / height, right: (tall * width) / height });
    } else this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    if (!this.world || !this.camera) return;
    this.renderer.render(this.world, this.camera);
    this.frames++;
  }

  /** Free what the graphics card holds. */
  release() {
    this.world?.traverse((object) => {
      object.geometry?.dispose();
      object.material?.dispose?.();
    });
  }

  dispose() {
    this.watch.disconnect();
    this.release();
    this.controls?.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }
}
