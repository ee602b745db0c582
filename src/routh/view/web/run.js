/** A run as the page was given it: packed arrays become typed ones, names become columns, time becomes an index. */

/** The numbers of `{type: "f4" | "f8", data: base64}`. */
export function unpack({ type, data }) {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return type === "f8" ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
}

export class Run {
  constructor(document) {
    const { first, at, force } = document.contact_forces;
    this.document = { ...document, contact_forces: { first: unpack(first), at: unpack(at), force: unpack(force) } };
    this.t = unpack(document.t);
    this.poses = unpack(document.scene.poses);
    this.channels = new Map();
    const values = unpack(document.values);
    let row = 0;
    for (const { name, unit, size } of document.channels) {
      const columns = [];
      for (let k = 0; k < size; k++, row++) columns.push(values.subarray(row * this.t.length, (row + 1) * this.t.length));
      this.channels.set(name, { name, unit, columns });
    }
  }

  get start() {
    return this.t[0];
  }
  get end() {
    return this.t[this.t.length - 1];
  }

  /** [i, f]: time t lies between samples i and i + 1, at the fraction f; just after a jump where there is one. */
  locate(t) {
    let low = 0,
      high = this.t.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.t[middle] <= t) low = middle;
      else high = middle - 1;
    }
    const next = this.t[low + 1];
    return [low, next > this.t[low] && t > this.t[low] ? Math.min(1, (t - this.t[low]) / (next - this.t[low])) : 0];
  }

  /** Number of moving bodies. */
  get count() {
    return this.poses.length / this.t.length / 7;
  }

  /** Poses of all bodies at time t, seven numbers each: x, y, z, qw, qx, qy, qz; not a number where a body has none. */
  posesAt(t) {
    const [i, f] = this.locate(t);
    const size = 7 * this.count;
    const now = this.poses.slice(i * size, (i + 1) * size);
    if (!f) return now;
    const next = this.poses.subarray((i + 1) * size, (i + 2) * size);
    for (let b = 0; b < size; b += 7) {
      const same = now[b + 3] * next[b + 3] + now[b + 4] * next[b + 4] + now[b + 5] * next[b + 5] + now[b + 6] * next[b + 6];
      for (let k = 0; k < 7; k++) now[b + k] += f * ((k > 2 && same < 0 ? -next[b + k] : next[b + k]) - now[b + k]);
      const length = Math.hypot(now[b + 3], now[b + 4], now[b + 5], now[b + 6]) || 1;
      for (let k = 3; k < 7; k++) now[b + k] /= length;
    }
    return now;
  }

  /** Velocity of the mass centre of body b at time t, from its neighbouring samples. */
  velocityAt(t, b) {
    let [i] = this.locate(t);
    if (i + 1 >= this.t.length || this.t[i + 1] === this.t[i]) i--;
    const step = this.t[i + 1] - this.t[i];
    if (!(step > 0)) return [0, 0, 0];
    const size = 7 * this.count;
    return [0, 1, 2].map((k) => (this.poses[(i + 1) * size + 7 * b + k] - this.poses[i * size + 7 * b + k]) / step);
  }

  /** The value of a column at time t, linear between samples. */
  value(column, t) {
    const [i, f] = this.locate(t);
    return f ? (1 - f) * column[i] + f * column[i + 1] : column[i];
  }
}

/** A number for people: four digits, powers of ten where it is very large or small. */
export function show(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (typeof x !== "number") return String(x);
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const round = Number(x.toPrecision(digits)),
    size = Math.abs(round);
  const text = size !== 0 && (size >= 1e5 || size < 1e-3) ? round.toExponential() : String(round);
  return text.replaceAll("-", "−");
}

/** An element with attributes, listeners (onclick: ...) and children; text is only ever text. */
export function element(tag, attributes = {}, ...children) {
  const svg = ["svg", "path", "line", "circle", "text", "g", "rect", "clipPath", "defs"].includes(tag);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style")
      made.style.cssText = value; // an attribute would need a looser policy
    else if (value !== false && value !== undefined) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}
