/** Plots over time with a common cursor: channels with units, lines broken at jumps, marks where something struck. */

import { element, show } from "./run.js";

const COLOURS = ["#2f7fc1", "#d9822b", "#3f9b6c", "#b5477d", "#7a63b8", "#8a7a1f"];
const LEFT = 62,
  RIGHT = 10,
  TOP = 8,
  BOTTOM = 24;

/** Round numbers from low to high, about `count` of them. */
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.max(0, Math.floor(high / step + 1e-9) - first + 1) }, (_, k) =>
    Number(((first + k) * step).toPrecision(12)),
  );
}

/** Lowest and highest finite number, with room; a constant gets a band around it. */
export function range(columns) {
  let low = Infinity,
    high = -Infinity;
  for (const column of columns)
    for (const x of column)
      if (Number.isFinite(x)) {
        if (x < low) low = x;
        if (x > high) high = x;
      }
  if (low > high) return [-1, 1];
  const room = high > low ? 0.06 * (high - low) : 0.5 * Math.abs(high) || 1;
  return [low - room, high + room];
}

export class Plots {
  /** `seek(t)` is called when the user points at a time. */
  constructor(host, seek) {
    this.host = host;
    this.seek = seek;
    this.plots = [];
    this.list = element("datalist", { id: `channels-${Math.random().toString(36).slice(2)}` });
    this.input = element("input", {
      type: "text",
      list: this.list.id,
      placeholder: "add a plot: name a channel",
      "aria-label": "channel to plot",
      onchange: () => this.ask(),
    });
    this.column = element("div", { class: "plots" });
    this.note = element("p", { class: "note" });
    host.append(this.column, element("div", { class: "row" }, this.input, this.list), this.note);
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.column);
  }

  /** Show another run; plots whose channels it has stay where they are. */
  load(run) {
    const before = this.run ? [...this.run.channels.keys()].join() : "";
    this.run = run;
    this.time = Math.min(Math.max(this.time ?? run.start, run.start), run.end);
    this.marks = [...new Set(run.document.impacts.map((row) => row.t))];
    const missing = run.document.left_out;
    this.note.textContent = missing ? `${missing} channels were left out to keep this page small.` : "";
    if ([...run.channels.keys()].join() === before) {
      for (const plot of this.plots) {
        Object.assign(plot, this.curves(plot.names));
        this.paint(plot);
      }
      return;
    }
    this.list.replaceChildren(...[...run.channels.keys()].map((name) => element("option", { value: name })));
    this.plots = [];
    this.column.replaceChildren();
    for (const names of run.document.plots) this.add(names.filter((name) => run.channels.has(name)));
  }

  /** What a plot of these channels shows: curves, their unit, their range. */
  curves(names) {
    const channels = names.map((name) => this.run.channels.get(name));
    const curves = channels.flatMap(({ name, unit, columns }) =>
      columns.map((column, k) => ({ column, unit, label: columns.length > 1 ? `${name} ${"xyz"[k] ?? k}` : name })),
    );
    const unit = [...new Set(channels.map((channel) => channel.unit))].join(", ");
    return { curves, unit, range: range(curves.map((curve) => curve.column)) };
  }

  ask() {
    const name = this.input.value.trim();
    if (this.run.channels.has(name)) {
      this.add([name]);
      this.input.value = "";
    }
    this.note.textContent = this.run.channels.has(name) || !name ? "" : `There is no channel "${name}" on this page.`;
  }

  add(names) {
    if (!names.length) return;
    const canvas = element("canvas", {
      class: "plot",
      tabindex: "0",
      role: "img",
      "aria-label": `${names.join(", ")} over time`,
    });
    const legend = element("div", { class: "legend" });
    const cursor = element("div", { class: "cursor" });
    const box = element("figure", { class: "plotbox" }, legend, element("div", { class: "frame" }, canvas, cursor));
    const plot = { names, canvas, cursor, ...this.curves(names) };
    plot.values = plot.curves.map((curve, k) => {
      const value = element("output");
      legend.append(
        element(
          "span",
          { class: "key" },
          element("i", { style: `background:${COLOURS[k % COLOURS.length]}` }),
          `${curve.label} `,
          value,
        ),
      );
      return value;
    });
    legend.append(
      element(
        "button",
        {
          class: "plain",
          title: "remove this plot",
          "aria-label": `remove the plot of ${names.join(", ")}`,
          onclick: () => this.remove(plot, box),
        },
        "×",
      ),
    );
    const point = (event) => {
      const { left, width } = canvas.getBoundingClientRect();
      const s = (event.clientX - left - LEFT) / (width - LEFT - RIGHT);
      this.seek(this.run.start + Math.min(1, Math.max(0, s)) * (this.run.end - this.run.start));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      point(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) point(event);
    });
    this.plots.push(plot);
    this.column.append(box);
    this.paint(plot);
  }

  remove(plot, box) {
    this.plots = this.plots.filter((other) => other !== plot);
    box.remove();
  }

  /** Move the cursors to time t; `hurried`: leave the numbers of the legends for a later call. */
  show(t, hurried = false) {
    this.time = t;
    for (const plot of this.plots) this.cursor(plot, hurried);
  }

  draw() {
    if (this.run) for (const plot of this.plots) this.paint(plot);
  }

  /** Axes and curves; the cursor is an element above them, so that moving it costs next to nothing. */
  paint(plot) {
    const {
      canvas,
      curves,
      range: [low, high],
    } = plot;
    const width = canvas.clientWidth,
      height = canvas.clientHeight;
    if (!width || !height) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(this.host);
    const ink = style.getPropertyValue("--soft"),
      grid = style.getPropertyValue("--grid");
    const t0 = this.run.start,
      t1 = this.run.end > t0 ? this.run.end : t0 + 1; // one sample alone also has a place
    const x = (t) => LEFT + ((t - t0) / (t1 - t0)) * (width - LEFT - RIGHT);
    const y = (v) => TOP + ((high - v) / (high - low)) * (height - TOP - BOTTOM);
    plot.x = x;
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = ink;
    pen.strokeStyle = grid;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const v of ticks(low, high, height / 45)) {
      stroke(pen, [
        [LEFT, y(v)],
        [width - RIGHT, y(v)],
      ]);
      pen.fillText(show(v), LEFT - 6, y(v));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const times = ticks(t0, t1, width / 90);
    times.forEach((t, k) => {
      stroke(pen, [
        [x(t), TOP],
        [x(t), height - BOTTOM],
      ]);
      pen.fillText(show(t) + (k === times.length - 1 ? " s" : ""), Math.min(x(t), width - RIGHT - 12), height - BOTTOM + 6);
    });
    pen.save();
    pen.translate(11, TOP + 0.5 * (height - TOP - BOTTOM));
    pen.rotate(-0.5 * Math.PI);
    pen.fillText(plot.unit ? `[${plot.unit}]` : "", 0, -5);
    pen.restore();
    pen.strokeStyle = style.getPropertyValue("--mark");
    for (const t of this.marks)
      stroke(pen, [
        [x(t), height - BOTTOM - 5],
        [x(t), height - BOTTOM],
      ]);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, TOP - 2, width - LEFT - RIGHT, height - TOP - BOTTOM + 4);
    pen.clip();
    pen.lineWidth = 1.5;
    curves.forEach(({ column }, k) => {
      pen.strokeStyle = COLOURS[k % COLOURS.length];
      pen.beginPath();
      let down = false;
      for (let i = 0; i < column.length; i++) {
        const jumps = i > 0 && this.run.t[i] === this.run.t[i - 1]; // both values are drawn, no line between them
        if (!Number.isFinite(column[i])) {
          down = false;
          continue;
        }
        if (down && !jumps) pen.lineTo(x(this.run.t[i]), y(column[i]));
        else pen.moveTo(x(this.run.t[i]), y(column[i]));
        down = true;
      }
      pen.stroke();
    });
    pen.restore();
    this.cursor(plot);
  }

  cursor({ cursor, x, curves, values }, hurried = false) {
    if (!x) return;
    cursor.style.transform = `translateX(${x(this.time).toFixed(1)}px)`;
    if (hurried) return;
    curves.forEach((curve, k) => {
      values[k].textContent = `${show(this.run.value(curve.column, this.time))} ${curve.unit}`;
    });
  }
}

function stroke(pen, points) {
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}
