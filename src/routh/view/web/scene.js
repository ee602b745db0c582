/** The moving picture: bodies at the poses of a run, links between them, paths, light and shadow. */

import { Arrows } from "./arrows.js";
import { Bodies } from "./bodies.js";
import { Camera, sight } from "./camera.js";
import { Forces } from "./forces.js";
import { Links } from "./links.js";
import { build } from "./parts.js";
import { Ruler } from "./ruler.js";
import { Triangles } from "./triangles.js";

const THEMES = {
  light: {
    ground: "#b9c1cc", link: "#5b6673", shadow: "#d3d8df", mark: "#d13f36",
    grid: "#e4e8ee", axis: "#c3cad4", text: "#8b95a3", strong: "#5a6572", axes: ["#c94f46", "#3f8f4f", "#3a6fc0"],
  },
  dark: {
    ground: "#4a5462", link: "#aab4c2", shadow: "#0b0e12", mark: "#ff6a5e",
    grid: "#232a33", axis: "#3a4350", text: "#7f8a99", strong: "#aab4c2", axes: ["#f0786f", "#6cc27e", "#6fa4f2"],
  },
};
const MANY = 100; // bodies from which on round ones have fewer faces
const MOST_ARROWS = 800;
const GHOSTS = 6; // poses around an impact
const SHADES = ["#2b4a9b", "#2a9d8f", "#e9c46a", "#e76f51", "#b3122b"]; // from little to much
const FINE = 2; // pixels each way that a processor draws for one, once the picture
const STILL = 150; // ms has not changed
const DEPTH = 0.03; // of a planar body, against the size of what is seen

/** Whether the processor does the work of a graphics card. */
function software() {
  const pen = document.createElement("canvas").getContext("webgl2");
  const names = pen?.getExtension("WEBGL_debug_renderer_info");
  const name = names ? pen.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  pen?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

export class Scene {
  /** Draws into `host`; `three` has THREE and OrbitControls. Throws where the browser has no WebGL. */
  constructor(host, three, dark) {
    Object.assign(this, { host, three, dark });
    this.options = { paths: true, follow: false, shadows: true, tilt: false, colour: "bodies", arrows: new Set(["impulses"]) };
    this.speed = 1; // of the clock, by which impulses fade
    this.ruler = new Ruler(host);
    this.slow = software();
    this.renderer = new three.THREE.WebGLRenderer({ antialias: !this.slow, alpha: true, powerPreference: "low-power" });
    this.renderer.setPixelRatio(this.slow ? 1 : Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.shadowMap.type = this.slow ? three.THREE.BasicShadowMap : three.THREE.PCFSoftShadowMap;
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", "moving picture of the bodies");
    host.append(this.renderer.domElement);
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(host);
    this.frames = 0;
  }

  get theme() {
    return THEMES[this.dark ? "dark" : "light"];
  }

  get planar() {
    return this.run.document.space === "planar";
  }

  /** Show another run. Objects and camera stay if it has the same bodies: making them anew costs most of a picture. */
  load(run) {
    const { up, bodies, parts, links } = run.document.scene;
    const place = JSON.stringify([run.document.space, up, bodies, parts, links]);
    this.run = run;
    this.forces = new Forces(run);
    this.shades = null;
    this.ghost(null);
    if (place === this.place) {
      this.paths.forEach((path, i) => this.trace(path, i));
      return;
    }
    this.place = place;
    this.time = undefined;
    this.rebuild();
    this.aim();
  }

  /** The camera that sees everything, or that sees the bodies while it follows them. */
  aim() {
    const { clientWidth: width, clientHeight: height } = this.host;
    this.camera.aim(this.options.follow, this.centre(), width || 1, height || 1, this.options.tilt);
    this.draw();
  }

  /** The middle of the bodies now. */
  centre() {
    const { THREE } = this.three;
    const poses = this.run.posesAt(this.time ?? this.run.start);
    const box = new THREE.Box3();
    for (let b = 0; b < poses.length; b += 7) {
      const p = new THREE.Vector3(poses[b], poses[b + 1], poses[b + 2]);
      if (Number.isFinite(p.x + p.y + p.z)) box.expandByPoint(p);
    }
    return box.isEmpty() ? new THREE.Vector3() : box.getCenter(new THREE.Vector3()).add(new THREE.Vector3(...this.run.document.scene.offset));
  }

  setDark(dark) {
    this.dark = dark;
    if (this.run) this.rebuild();
  }

  /** Make all objects anew; the camera stays. */
  rebuild() {
    const { THREE } = this.three;
    const { scene } = this.run.document;
    const { parts, bodies, links, radius, up } = scene;
    this.release();
    this.world = new THREE.Scene();
    const floors = parts.at(-1).filter(({ kind, normal }) => kind === "halfspace" && normal.reduce((s, x, k) => s + x * up[k], 0) > 0.5);
    if (!this.camera || this.cameraOf !== this.place) {
      this.camera?.dispose();
      this.camera = new Camera(this.three, this.renderer.domElement, scene, this.planar, floors.length > 0, () => this.draw());
      this.cameraOf = this.place;
    }
    const grain = sight(scene, this.options.follow);
    this.look = {
      THREE, planar: this.planar, grain, depth: DEPTH * grain, radius, up, fine: bodies.length < MANY,
      size: Math.hypot(...scene.high.map((x, k) => x - scene.low[k])) || 1,
      middle: scene.low.map((x, k) => 0.5 * (x + scene.high[k])), low: scene.low, high: scene.high,
    };
    this.light();
    this.ground(parts.at(-1));
    this.bodies = new Bodies(this.look, scene, this.material());
    this.shadows = this.planar && this.options.shadows ? this.shadow() : null;
    this.arrows = new Arrows(THREE, MOST_ARROWS);
    this.world.add(this.arrows.root);
    this.colour();
    this.links = new Links(THREE, links, radius, this.planar, this.linkMaterials());
    this.links.down = new THREE.Vector3(...up).negate();
    this.paths = bodies.map((_, i) => this.path(i));
    this.world.add(this.bodies.root, this.links.root, ...this.paths);
    this.mark = new THREE.Mesh(
      new THREE.SphereGeometry(1, 16, 12),
      new THREE.MeshBasicMaterial({ color: this.theme.mark, depthTest: false, transparent: true, opacity: 0.85 }),
    );
    if (this.reference) this.compare(this.reference);
    this.mark.renderOrder = 30;
    this.mark.visible = false;
    this.world.add(this.mark);
    if (this.time !== undefined) this.show(this.time);
  }

  /** Plain colours in the plane, Lambert's law in space. */
  material(extra = {}) {
    const { THREE } = this.three;
    const Kind = this.planar ? THREE.MeshBasicMaterial : THREE.MeshLambertMaterial;
    return new Kind({ vertexColors: true, side: THREE.FrontSide, ...extra });
  }

  linkMaterials() {
    const { THREE } = this.three;
    const Kind = this.planar ? THREE.MeshBasicMaterial : THREE.MeshLambertMaterial;
    return { stick: new Kind({ color: this.theme.link }), coil: new Kind({ color: this.theme.link }) };
  }

  /** Sun and sky of a scene in space; colours of the plane need no light. */
  light() {
    const { THREE } = this.three;
    const { up } = this.look;
    const { shadows } = this.options;
    this.renderer.shadowMap.enabled = shadows && !this.planar;
    if (this.planar) return;
    this.world.add(new THREE.HemisphereLight("#ffffff", this.dark ? "#5a6472" : "#aab2bd", 2.0));
    this.sun = new THREE.DirectionalLight("#ffffff", 1.9);
    this.sun.castShadow = shadows;
    const side = Math.abs(up[2]) > 0.9 ? [-0.45, -0.75, 0] : [-0.5, 0, 0.6];
    this.sunWay = new THREE.Vector3(...side).addScaledVector(new THREE.Vector3(...up), 1.2).normalize();
    this.sun.shadow.mapSize.setScalar(this.slow ? 1024 : 2048);
    this.sun.shadow.radius = 3;
    this.world.add(this.sun, this.sun.target);
  }

  /** Keep the light and its shadows where the camera looks. */
  shine() {
    if (this.planar) return;
    const { target } = this.camera.controls;
    const wide = 0.75 * this.camera.size;
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).addScaledVector(this.sunWay, 3 * wide);
    const shadow = this.sun.shadow.camera;
    if (shadow.right === wide) return;
    Object.assign(shadow, { left: -wide, right: wide, top: wide, bottom: -wide, near: 0.1 * wide, far: 8 * wide });
    this.sun.shadow.bias = -0.002;
    this.sun.shadow.normalBias = 0.002 * wide;
    shadow.updateProjectionMatrix();
  }

  /** In the plane a shadow is a flat copy of the bodies, a little aside and behind them. */
  shadow() {
    const { THREE } = this.three;
    const flat = new Bodies(this.look, this.run.document.scene, new THREE.MeshBasicMaterial({ color: this.theme.shadow }));
    const { depth } = this.look;
    flat.root.position.set(0.55 * depth, -0.4 * depth, -1.5 * depth);
    flat.root.scale.z = 0.01;
    this.world.add(flat.root);
    return flat;
  }

  ground(parts) {
    const { THREE } = this.three;
    const out = new Triangles(THREE);
    for (const part of parts) build(part, this.look, out);
    const material = this.material({ color: this.theme.ground, transparent: true, side: THREE.DoubleSide });
    const mesh = new THREE.Mesh(out.geometry(), material);
    mesh.receiveShadow = true;
    mesh.renderOrder = -1;
    if (this.planar) mesh.position.z = -0.45 * this.look.depth;
    mesh.frustumCulled = false;
    this.world.add(mesh);
  }

  /** Colours of the bodies; many of a kind share one and differ a little in lightness. */
  colour() {
    const { THREE } = this.three;
    const { scene, palette } = this.run.document;
    const shared = new Map();
    for (const k of scene.colours) shared.set(k, (shared.get(k) ?? 0) + 1);
    const shade = this.shade();
    this.bodies.paint((b) => {
      if (shade?.has(b)) return shade.get(b);
      const k = scene.colours[b];
      const colour = new THREE.Color(palette.bodies[k % palette.bodies.length]);
      if (shared.get(k) > 1) colour.offsetHSL(0, 0, [0, 0.07, -0.04][b % 3]);
      return colour;
    });
  }

  /** What bodies can be coloured by. */
  get colourings() {
    const tracks = this.run.document.scene.tracks;
    const has = (key) => tracks.some(({ name }) => this.run.channels.has(`${name}.${key}`));
    return ["bodies", "speed", ...(has("tension") ? ["tension"] : []), ...(has("ground.pressure") ? ["pressure"] : [])];
  }

  /** Colours of bodies by their speed, links by tension, shoes by pressure; none where each has its own. */
  shade() {
    const { THREE } = this.three;
    const { colour } = this.options;
    if (colour === "bodies" || this.time === undefined) return null;
    const { tracks, bodies } = this.run.document.scene;
    const values = new Map();
    if (colour === "speed") bodies.forEach((_, b) => values.set(b, Math.hypot(...this.run.velocityAt(this.time, b))));
    else
      for (const { name, links } of tracks) {
        const { columns } = this.run.channels.get(`${name}.${colour === "tension" ? "tension" : "ground.pressure"}`);
        columns.forEach((column, k) => values.set(links[k], this.run.value(column, this.time)));
      }
    if (this.shades?.colour !== colour) this.shades = { colour, most: this.largest(colour) };
    const stops = SHADES.map((shade) => new THREE.Color(shade));
    return new Map(
      [...values].map(([b, value]) => {
        const s = Math.min(0.9999, Math.max(0, value / (this.shades.most || 1))) * (stops.length - 1);
        return [b, stops[Math.floor(s)].clone().lerp(stops[Math.floor(s) + 1], s % 1)];
      }),
    );
  }

  /** The value that gets the last colour. */
  largest(colour) {
    if (colour === "speed") return this.forces.scale.velocities;
    const key = colour === "tension" ? "tension" : "ground.pressure";
    const all = this.run.document.scene.tracks.flatMap(({ name }) => this.run.channels.get(`${name}.${key}`).columns.flatMap((c) => [...c]));
    const sorted = all.filter(Number.isFinite).sort((a, b) => a - b);
    return sorted[Math.floor(0.995 * sorted.length)] ?? 1;
  }

  /** Pale copies of all bodies at these times, or none. */
  ghost(times) {
    this.ghosts?.dispose();
    this.ghosts = null;
    this.ghostTimes = times;
    if (!times || !this.world) return;
    this.ghosts = this.pale(this.run, times.length, 0.22);
    times.forEach((t, k) => this.ghosts.place(this.run.posesAt(t), k));
  }

  /** Poses before and after time t, a few steps of the clock apart. */
  around(t) {
    const step = 0.06 * this.speed;
    const times = Array.from({ length: GHOSTS }, (_, k) => t + (k - 0.5 * GHOSTS + (k >= 0.5 * GHOSTS ? 1 : 0)) * step);
    this.ghost(times.filter((time) => time >= this.run.start && time <= this.run.end));
    this.draw();
  }

  /** Another run with the same bodies, pale beside this one, or none. */
  compare(run) {
    this.reference = run;
    this.other?.dispose();
    this.other = run && this.world ? this.pale(run, 1, 0.38) : null;
    if (this.time !== undefined) this.show(this.time);
  }

  pale(run, copies, opacity) {
    const material = this.material({ transparent: true, opacity, depthWrite: false });
    const pale = new Bodies(this.look, run.document.scene, material, copies);
    const { colours } = run.document.scene;
    const { palette } = run.document;
    pale.paint((b) => new this.three.THREE.Color(palette.bodies[colours[b] % palette.bodies.length]));
    for (const { mesh } of pale.kinds) mesh.castShadow = false;
    this.world.add(pale.root);
    return pale;
  }

  path(index) {
    const { THREE } = this.three;
    const { scene, palette } = this.run.document;
    const look = { color: palette.bodies[scene.colours[index] % palette.bodies.length], transparent: true, opacity: 0.5 };
    const line = new THREE.Line(undefined, new THREE.LineBasicMaterial(look));
    line.visible = this.options.paths;
    return this.trace(line, index);
  }

  /** Lay a path through the places of a body. */
  trace(line, index) {
    const { poses, t, count } = this.run;
    const points = [];
    for (let i = 0; i < t.length; i++) {
      const at = 7 * (i * count + index);
      const place = poses.subarray(at, at + 3);
      if (place.every(Number.isFinite)) points.push(new this.three.THREE.Vector3(...place));
    }
    line.geometry.dispose();
    line.geometry = new this.three.THREE.BufferGeometry().setFromPoints(points);
    return line;
  }

  set(option, value) {
    this.options[option] = value;
    if (option === "paths") for (const path of this.paths) path.visible = value;
    if (option === "shadows" || option === "follow") this.rebuild();
    if (option === "follow" || option === "tilt") this.aim();
    if (option === "colour") this.colour();
    this.show(this.time);
  }

  /** A point of a body (or of the ground) in the world, at the poses that are shown. */
  worldPoint(body, point) {
    const { THREE } = this.three;
    const out = new THREE.Vector3(...point);
    const p = this.poses.subarray(7 * body, 7 * body + 7);
    if (p.length < 7) return out;
    return out.applyQuaternion(new THREE.Quaternion(p[4], p[5], p[6], p[3])).add(new THREE.Vector3(p[0], p[1], p[2]));
  }

  /** Put every body where it is at time t. */
  show(t) {
    this.time = t;
    this.poses = this.run.posesAt(t);
    this.bodies.place(this.poses);
    this.shadows?.place(this.poses);
    this.links.place((body, point) => this.worldPoint(body, point));
    if (this.options.colour !== "bodies") this.colour();
    this.other?.place(this.reference.posesAt(Math.min(Math.max(t, this.reference.start), this.reference.end)));
    this.arrows.begin();
    this.forces.draw(this.arrows, this, this.options.arrows, t, this.speed, this.camera.size ?? this.look.grain);
    this.arrows.end();
    if (this.options.follow) this.camera.follow(this.centre());
    this.draw();
  }

  /** Point at a place of the world, or at none. */
  point(place) {
    this.mark.visible = Boolean(place?.every(Number.isFinite));
    if (this.mark.visible) {
      this.mark.position.set(place[0], place[1], place[2] ?? 0);
      this.mark.scale.setScalar(0.008 * this.camera.size);
    }
    this.draw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height || !this.camera) return;
    this.renderer.setSize(width, height, false);
    if (this.camera.touched) this.camera.resize(width, height);
    else this.camera.aim(this.options.follow, this.centre(), width, height, this.options.tilt);
    this.draw();
  }

  draw() {
    if (!this.world || !this.camera?.size || !this.host.clientWidth) return;
    this.shine();
    this.render(this.slow ? 1 : this.renderer.getPixelRatio());
    this.rule();
    this.frames++;
    if (!this.slow) return;
    clearTimeout(this.finely);
    if (!this.playing) this.finely = setTimeout(() => this.render(FINE), STILL);
  }

  /** Without a graphics card, smooth edges are for pictures that stand still. */
  render(ratio) {
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    this.renderer.render(this.world, this.camera.eye);
  }

  /** Grid or axes behind the picture, drawn anew when the camera has moved. */
  rule() {
    const { clientWidth: width, clientHeight: height } = this.host;
    const { eye, controls } = this.camera;
    const key = [width, height, this.dark, eye.zoom, eye.top, ...eye.matrixWorld.elements].join();
    if (key === this.ruled) return;
    this.ruled = key;
    const way = eye.position.clone().sub(controls.target).normalize();
    if (!this.planar) {
      const axes = [0, 1, 2].map((k) => [eye.matrixWorldInverse.elements[4 * k], eye.matrixWorldInverse.elements[4 * k + 1]]);
      this.ruler.axes(axes, width, height, this.theme);
    } else if (way.z > 0.9999) {
      const [wide, tall] = [eye.right / eye.zoom, eye.top / eye.zoom];
      const { x, y } = eye.position;
      this.ruler.grid([x - wide, x + wide, y - tall, y + tall], width, height, this.theme);
    } else this.ruler.clear(width, height);
  }

  /** Free what the graphics card holds. */
  release() {
    this.bodies?.dispose();
    this.links?.dispose();
    this.shadows?.dispose();
    this.arrows?.dispose();
    this.ghosts?.dispose();
    this.other?.dispose();
    this.ghosts = this.other = null;
    this.world?.traverse((object) => {
      object.geometry?.dispose();
      object.material?.dispose?.();
    });
  }

  dispose() {
    clearTimeout(this.finely);
    this.watch.disconnect();
    this.release();
    this.camera?.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
    this.ruler.canvas.remove();
  }
}
