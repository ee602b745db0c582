/** What is computed, as arrows: contact forces, joint reactions, impulses that grow at their impact and fade, velocities. */

export const KINDS = {
  contacts: { label: "contact forces", colour: "#e0533d" },
  reactions: { label: "joint reactions", colour: "#7c5cd6" },
  impulses: { label: "impulses", colour: "#e08a00" },
  velocities: { label: "velocities", colour: "#2a9d6f" },
};
const LONG = 0.22; // length of the largest arrow, against the size of what is seen
const FADE = 0.5; // seconds on the screen in which an impulse fades to a third
const RISE = 0.08; // seconds on the screen in which it grows

/** The size that is drawn with the longest arrow: the largest but for a hundredth. */
function large(sizes) {
  const sorted = sizes.filter((x) => Number.isFinite(x) && x > 0).sort((a, b) => a - b);
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(0.99 * sorted.length))] : 0;
}

export class Forces {
  constructor(run) {
    this.run = run;
    const { scene, contact_forces: rows, impacts } = run.document;
    this.joints = scene.joints.filter(({ name }) => run.channels.has(`${name}.reaction`));
    this.tracks = scene.tracks.filter(({ name }) => run.channels.has(`${name}.ground.force`));
    this.rows = rows;
    const every = Math.max(1, Math.floor(run.t.length / 150));
    const sizes = { contacts: [], reactions: [], impulses: impacts.map(({ vector }) => Math.hypot(...(vector ?? [0]))), velocities: [] };
    for (let i = 0; i + 2 < rows.force.length; i += 3) sizes.contacts.push(Math.hypot(rows.force[i], rows.force[i + 1], rows.force[i + 2]));
    for (let i = 0; i < run.t.length; i += every) {
      for (const { columns } of this.joints.map(({ name }) => run.channels.get(`${name}.reaction`)))
        sizes.reactions.push(Math.hypot(...columns.map((column) => column[i])));
      for (const { name } of this.tracks)
        for (const column of run.channels.get(`${name}.ground.force`).columns) sizes.contacts.push(column[i]);
      for (let b = 0; b < run.count; b++) sizes.velocities.push(Math.hypot(...run.velocityAt(run.t[i], b)));
    }
    this.scale = Object.fromEntries(Object.entries(sizes).map(([kind, all]) => [kind, large(all)]));
  }

  /** Kinds that this run has. */
  get kinds() {
    return Object.keys(KINDS).filter((kind) => this.scale[kind] > 0);
  }

  /** Draw arrows of the wanted kinds at time t; `speed` is that of the clock, `size` that of what is seen. */
  draw(arrows, scene, wanted, t, speed, size) {
    const { THREE } = scene.three;
    const put = (kind, from, vector, share = 1) => {
      const way = new THREE.Vector3(...vector).multiplyScalar((share * LONG * size) / this.scale[kind]);
      if (way.length() > 1.5 * LONG * size) way.setLength(1.5 * LONG * size);
      if (Number.isFinite(way.x + way.y + way.z + from.x)) arrows.put(from, way, 0.0035 * size, KINDS[kind].colour);
    };
    const [i] = this.run.locate(t);
    if (wanted.has("contacts")) {
      const { first, at, force } = this.rows;
      for (let k = first[i]; k < first[i + 1]; k++) put("contacts", new THREE.Vector3(...at.subarray(3 * k, 3 * k + 3)), force.subarray(3 * k, 3 * k + 3));
      for (const { name, links, sole } of this.tracks)
        this.run.channels.get(`${name}.ground.force`).columns.forEach((column, k) => {
          const from = scene.worldPoint(links[k], sole);
          if (column[i] > 0) put("contacts", from, [0, column[i], 0]);
        });
    }
    if (wanted.has("reactions"))
      for (const { name, body, point } of this.joints) {
        const value = this.run.channels.get(`${name}.reaction`).columns.map((column) => this.run.value(column, t));
        put("reactions", scene.worldPoint(body, point), [value[0], value[1], value[2] ?? 0]);
      }
    if (wanted.has("velocities"))
      for (let b = 0; b < this.run.count; b++) put("velocities", scene.worldPoint(b, [0, 0, 0]), this.run.velocityAt(t, b));
    if (wanted.has("impulses"))
      for (const { t: hit, point, vector } of this.run.document.impacts) {
        const late = (t - hit) / speed;
        if (!vector || late < -RISE || late > 4 * FADE) continue;
        const share = late < 0 ? 1 + late / RISE : Math.exp(-late / FADE);
        put("impulses", new THREE.Vector3(...point, 0).setZ(point[2] ?? 0), vector, share);
      }
  }
}
