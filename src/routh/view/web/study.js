/** The points of a study: a scatter plot over any two columns. A click shows the run of a point, a drag selects points. */

import { range, ticks } from "./plots.js";
import { element, show, unpack } from "./run.js";

const EDGE = { left: 62, right: 12, top: 10, bottom: 40 };
const NEAR = 4; // pixels: a shorter drag is a click
const COLD = [43, 108, 176],
  WARM = [224, 122, 31];

export class Study {
  /** `{columns: [{name, unit, varied, values}], status: [text], runs: [point]}`; `choose(k)` shows the k-th run. */
  constructor({ columns, status, runs }, choose) {
    this.columns = columns.map((column) => {
      const values = unpack(column.values);
      return { ...column, values, range: range([values]) };
    });
    this.status = status;
    this.runs = runs;
    this.choose = choose;
    this.brush = null;
    const varied = this.columns.filter((column) => column.varied);
    const found = this.columns.filter((column) => !column.varied);
    this.axis = { x: varied[0], y: found[0] ?? varied[1] ?? varied[0], colour: varied[1] ?? null };
    this.canvas = element("canvas", { class: "points", tabindex: 0, role: "img", "aria-label": "points of the study" });
    this.note = element("p", { class: "note", "aria-live": "polite" });
    this.panel = element(
      "div",
      { class: "panel study" },
      element(
        "div",
        { class: "grid" },
        this.select("x", "across"),
        this.select("y", "up"),
        this.select("colour", "colour"),
      ),
      this.canvas,
      this.note,
    );
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.pick(this.runs[0]);
  }

  select(key, label) {
    const options = this.columns.map((column, k) => element("option", { value: k }, this.label(column)));
    if (key === "colour") options.unshift(element("option", { value: -1 }, "none"));
    const box = element(
      "select",
      {
        "aria-label": label,
        onchange: () => {
          this.axis[key] = this.columns[Number(box.value)] ?? null;
          this.brush = null;
          this.draw();
          this.tell();
        },
      },
      ...options,
    );
    box.value = String(this.columns.indexOf(this.axis[key]));
    if (key !== "colour") return element("label", {}, label, box);
    this.scale = element("span", { class: "note" });
    return element("label", {}, label, box, this.scale);
  }

  label({ name, unit }) {
    return unit ? `${name} [${unit}]` : name;
  }

  /** Show a point; its run where the page holds it, else that of the nearest point whose run it holds. */
  pick(point) {
    this.point = point;
    let run = this.runs.indexOf(point);
    this.nearest = null;
    if (run < 0) {
      const [x, y] = this.place(point);
      const far = this.runs.map((other) => {
        const [u, v] = this.place(other);
        return (u - x) ** 2 + (v - y) ** 2;
      });
      run = far.indexOf(Math.min(...far));
      this.nearest = this.runs[run];
    }
    this.panel.dataset.point = point;
    this.panel.dataset.run = this.runs[run];
    this.choose(run);
    this.draw();
    this.tell();
  }

  /** What the note says: the point, or the points within the brush. */
  tell() {
    if (this.brush) {
      const inside = this.inside();
      this.panel.dataset.selected = inside.length;
      const spans = this.columns.map(({ name, values }) => {
        const numbers = inside.map((i) => values[i]).filter(Number.isFinite);
        return numbers.length ? `${name} ${show(Math.min(...numbers))} to ${show(Math.max(...numbers))}` : `${name} –`;
      });
      this.note.textContent = `${inside.length} of ${this.status.length} points selected${inside.length ? ": " + spans.join(", ") : ""}`;
      return;
    }
    this.panel.dataset.selected = 0;
    const numbers = this.columns.map(({ name, unit, values }) => `${name} = ${show(values[this.point])}${unit ? " " + unit : ""}`);
    const beside = this.columns.filter((column) => column.varied).map(({ name, values }) => `${name} = ${show(values[this.nearest])}`);
    const other =
      this.nearest === null ? "" : `; the page holds no run of it, shown is that of point ${this.nearest}: ${beside.join(", ")}`;
    this.note.textContent = `point ${this.point}: ${numbers.join(", ")}; ${this.status[this.point]}${other}`;
  }

  inside() {
    const [a, b, c, d] = this.brush;
    return Array.from(this.status.keys()).filter((i) => {
      const [x, y] = this.place(i);
      return x >= Math.min(a, c) && x <= Math.max(a, c) && y >= Math.min(b, d) && y <= Math.max(b, d);
    });
  }

  /** Where a point is drawn; what has no value lies on the lower edge. */
  place(i) {
    const { left, right, top, bottom } = EDGE;
    const wide = this.canvas.clientWidth - left - right,
      tall = this.canvas.clientHeight - top - bottom;
    const [x0, x1] = this.axis.x.range,
      [y0, y1] = this.axis.y.range;
    const x = this.axis.x.values[i],
      y = this.axis.y.values[i];
    return [
      left + (Number.isFinite(x) ? (wide * (x - x0)) / (x1 - x0) : 0),
      top + tall - (Number.isFinite(y) ? (tall * (y - y0)) / (y1 - y0) : 0),
    ];
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  press(event) {
    this.from = this.at(event);
    this.canvas.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.from) return;
    const [x, y] = this.at(event);
    if (Math.hypot(x - this.from[0], y - this.from[1]) < NEAR) return;
    this.brush = [...this.from, x, y];
    this.draw();
    this.tell();
  }

  release(event) {
    if (!this.from) return;
    const [x, y] = this.at(event);
    const clicked = Math.hypot(x - this.from[0], y - this.from[1]) < NEAR;
    this.from = null;
    if (!clicked) return;
    this.brush = null;
    const far = Array.from(this.status.keys(), (i) => {
      const [u, v] = this.place(i);
      return (u - x) ** 2 + (v - y) ** 2;
    });
    this.pick(far.reduce((best, distance, i) => (distance < far[best] ? i : best), 0));
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const now = this.runs.indexOf(this.nearest ?? this.point);
    this.brush = null;
    this.pick(this.runs[(now + step + this.runs.length) % this.runs.length]);
  }

  draw() {
    const scale = window.devicePixelRatio || 1,
      wide = this.canvas.clientWidth,
      tall = this.canvas.clientHeight;
    if (!wide || !tall) return;
    this.canvas.width = wide * scale;
    this.canvas.height = tall * scale;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    const colours = getComputedStyle(this.panel);
    const colour = (name) => colours.getPropertyValue(name);
    this.frame(pen, colour, wide, tall);
    const span = this.axis.colour ? this.axis.colour.range : null;
    this.scale.textContent = span ? `blue ${show(span[0], 2)} to orange ${show(span[1], 2)}` : "";
    for (let i = 0; i < this.status.length; i++) {
      const [x, y] = this.place(i);
      const failed = this.status[i] !== "finished" || !Number.isFinite(this.axis.y.values[i]);
      const part = span ? (this.axis.colour.values[i] - span[0]) / (span[1] - span[0]) : 0;
      pen.fillStyle = failed ? colour("--mark") : `rgb(${COLD.map((c, k) => c + part * (WARM[k] - c)).join(",")})`;
      pen.globalAlpha = this.brush && !this.within(x, y) ? 0.15 : 0.85;
      pen.beginPath();
      if (failed) pen.rect(x - 3, y - 3, 6, 6);
      else pen.arc(x, y, 3.2, 0, 2 * Math.PI);
      pen.fill();
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = colour("--ink");
    pen.lineWidth = 1;
    if (this.runs.length < this.status.length)
      for (const i of this.runs) this.ring(pen, i, 4.6);
    pen.strokeStyle = colour("--mark");
    pen.lineWidth = 2;
    this.ring(pen, this.point, 7);
    if (!this.brush) return;
    const [a, b, c, d] = this.brush;
    pen.setLineDash([4, 3]);
    pen.strokeStyle = colour("--accent");
    pen.strokeRect(Math.min(a, c), Math.min(b, d), Math.abs(c - a), Math.abs(d - b));
    pen.setLineDash([]);
  }

  within(x, y) {
    const [a, b, c, d] = this.brush;
    return x >= Math.min(a, c) && x <= Math.max(a, c) && y >= Math.min(b, d) && y <= Math.max(b, d);
  }

  ring(pen, i, radius) {
    const [x, y] = this.place(i);
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.stroke();
  }

  frame(pen, colour, wide, tall) {
    const { left, right, top, bottom } = EDGE;
    const low = tall - bottom,
      end = wide - right;
    pen.font = "12px system-ui, sans-serif";
    pen.lineWidth = 1;
    const [x0, x1] = this.axis.x.range,
      [y0, y1] = this.axis.y.range;
    pen.strokeStyle = colour("--grid");
    pen.fillStyle = colour("--soft");
    pen.textAlign = "center";
    for (const x of ticks(x0, x1, wide / 90)) {
      const at = left + ((end - left) * (x - x0)) / (x1 - x0);
      this.line(pen, at, top, at, low);
      pen.fillText(show(x), at, low + 15);
    }
    pen.textAlign = "right";
    for (const y of ticks(y0, y1, tall / 45)) {
      const at = low - ((low - top) * (y - y0)) / (y1 - y0);
      this.line(pen, left, at, end, at);
      pen.fillText(show(y), left - 6, at + 4);
    }
    pen.fillStyle = colour("--ink");
    pen.textAlign = "center";
    pen.fillText(this.label(this.axis.x), (left + end) / 2, tall - 8);
    pen.save();
    pen.translate(13, (top + low) / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(this.label(this.axis.y), 0, 0);
    pen.restore();
  }

  line(pen, a, b, c, d) {
    pen.beginPath();
    pen.moveTo(a, b);
    pen.lineTo(c, d);
    pen.stroke();
  }
}
