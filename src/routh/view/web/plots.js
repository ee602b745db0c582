/** Plots over time with a common cursor and a common zoom: values under the pointer, curves that can be hidden, PNG and CSV. */

import { element, show } from "./run.js";

const COLOURS = ["#2f7fc1", "#d9822b", "#3f9b6c", "#b5477d", "#7a63b8", "#8a7a1f"];
const LEFT = 62,
  RIGHT = 12,
  TOP = 8,
  BOTTOM = 22;
const DRAG = 5; // pixels from which on a click is a zoom

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
export function range(columns, from = 0, to = Infinity) {
  let low = Infinity,
    high = -Infinity;
  for (const column of columns)
    for (let i = from; i < Math.min(to, column.length); i++) {
      const x = column[i];
      if (!Number.isFinite(x)) continue;
      if (x < low) low = x;
      if (x > high) high = x;
    }
  if (low > high) return [-1, 1];
  const room = high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high)) ? 0.06 * (high - low) : 0.5 * Math.abs(high) || 1;
  return [low - room, high + room];
}

export class Plots {
  /** `seek(t)` when the user points at a time, `zoomed(range)` when the plots show another part of it. */
  constructor(host, seek, zoomed = () => {}) {
    Object.assign(this, { host, seek, zoomed });
    this.plots = [];
    this.marks = [];
    this.list = element("datalist", { id: `channels-${Math.random().toString(36).slice(2)}` });
    this.input = element("input", {
      type: "text", list: this.list.id, placeholder: "add a plot: name a channel", "aria-label": "channel to plot",
      onchange: () => this.ask(),
    });
    this.column = element("div", { class: "plots" });
    this.note = element("p", { class: "note" });
    this.back = element("button", { class: "whole", hidden: true, onclick: () => this.zoom(null) }, "whole run");
    host.append(this.column, element("div", { class: "row" }, this.input, this.list, this.back), this.note);
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.column);
  }

  /** Show another run with the `marks` of its events, and a `reference` beside it; plots whose channels it has stay. */
  load(run, reference = null, marks = []) {
    const before = this.run ? [...this.run.channels.keys()].join() : "";
    this.run = run;
    this.reference = reference;
    this.marks = marks;
    this.time = Math.min(Math.max(this.time ?? run.start, run.start), run.end);
    if (this.window && (this.window[0] < run.start || this.window[1] > run.end)) this.zoom(null);
    const missing = run.document.left_out;
    this.note.textContent = missing ? `${missing} ${missing === 1 ? "channel was" : "channels were"} left out to keep this page small.` : "";
    if ([...run.channels.keys()].join() === before) {
      for (const plot of this.plots) {
        plot.curves = this.curves(plot.names);
        this.paint(plot);
      }
      return;
    }
    this.list.replaceChildren(...[...run.channels.keys()].map((name) => element("option", { value: name })));
    this.plots = [];
    this.column.replaceChildren();
    for (const names of run.document.plots) this.add(names.filter((name) => run.channels.has(name)));
  }

  /** The curves of these channels, and those of the reference under the same names. */
  curves(names) {
    return names.flatMap((name) => {
      const { unit, columns } = this.run.channels.get(name);
      const others = this.reference?.channels.get(name)?.columns ?? [];
      return columns.map((column, k) => ({
        column, unit, other: others[k], dashed: name === "energy.total", label: columns.length > 1 ? `${name} ${"xyz"[k] ?? k}` : name,
      }));
    });
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
    const canvas = element("canvas", { class: "plot", tabindex: "0", role: "img", "aria-label": `${names.join(", ")} over time` });
    const legend = element("div", { class: "legend" });
    const cursor = element("div", { class: "cursor" });
    const tip = element("div", { class: "tip", hidden: true });
    const band = element("div", { class: "band", hidden: true });
    const box = element("figure", { class: "plotbox" }, legend, element("div", { class: "frame" }, canvas, cursor, band, tip));
    const plot = { names, canvas, cursor, tip, band, hidden: new Set(), curves: this.curves(names) };
    plot.values = plot.curves.map((curve, k) => {
      const value = element("output");
      const key = element(
        "button",
        {
          class: "key plain", "aria-pressed": "true", title: "show or hide this curve",
          onclick: () => {
            if (!plot.hidden.delete(k)) plot.hidden.add(k);
            key.setAttribute("aria-pressed", String(!plot.hidden.has(k)));
            this.paint(plot);
          },
        },
        element("i", { style: `background:${COLOURS[k % COLOURS.length]}` }), `${curve.label} `, value,
      );
      legend.append(key);
      return value;
    });
    const tool = (text, title, onclick) => element("button", { class: "plain tool", title, "aria-label": `${title}: ${names.join(", ")}`, onclick }, text);
    legend.append(
      element(
        "span",
        { class: "tools" },
        tool("PNG", "save this plot as a picture", () => this.png(plot)),
        tool("CSV", "save these values as a table", () => this.csv(plot)),
        tool("×", "remove this plot", () => this.remove(plot, box)),
      ),
    );
    this.listen(plot);
    this.plots.push(plot);
    this.column.append(box);
    this.paint(plot);
  }

  /** A click seeks, a drag zooms, a double click shows the whole run, the pointer reads values. */
  listen(plot) {
    const { canvas, band, tip } = plot;
    const timeAt = (event) => {
      const { left, width } = canvas.getBoundingClientRect();
      const s = Math.min(1, Math.max(0, (event.clientX - left - LEFT) / (width - LEFT - RIGHT)));
      const [t0, t1] = this.span;
      return t0 + s * (t1 - t0);
    };
    let from = null;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      from = { x: event.offsetX, t: timeAt(event) };
    });
    canvas.addEventListener("pointermove", (event) => {
      this.hover(plot, timeAt(event), event.offsetX);
      if (!from) return;
      band.hidden = Math.abs(event.offsetX - from.x) < DRAG;
      band.style.cssText = `left:${Math.min(from.x, event.offsetX)}px;width:${Math.abs(event.offsetX - from.x)}px`;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (!from) return;
      const [t, wide] = [timeAt(event), Math.abs(event.offsetX - from.x)];
      if (wide < DRAG) this.seek(t);
      else if (t !== from.t) this.zoom([Math.min(t, from.t), Math.max(t, from.t)]);
      band.hidden = true;
      from = null;
    });
    canvas.addEventListener("pointerleave", () => {
      tip.hidden = true;
    });
    canvas.addEventListener("dblclick", () => this.zoom(null));
  }

  /** Values of all curves at time t, beside the pointer. */
  hover({ tip, curves, hidden, canvas }, t, x) {
    tip.hidden = false;
    tip.replaceChildren(
      element("b", {}, `t = ${show(t, 5)} s`),
      ...curves.flatMap((curve, k) =>
        hidden.has(k)
          ? []
          : [element("div", {}, element("i", { style: `background:${COLOURS[k % COLOURS.length]}` }), `${show(this.run.value(curve.column, t), 5)} ${curve.unit}`)],
      ),
    );
    const right = x > 0.6 * canvas.clientWidth;
    tip.style.cssText = right ? `right:${canvas.clientWidth - x + 12}px` : `left:${x + 12}px`;
  }

  /** The part of time that is shown. */
  get span() {
    const [t0, t1] = this.window ?? [this.run.start, this.run.end];
    return t1 > t0 ? [t0, t1] : [t0, t0 + 1]; // one sample alone also has a place
  }

  /** Show a part of time in all plots, or all of it again. */
  zoom(window) {
    this.window = window;
    this.back.hidden = !window;
    this.draw();
    this.zoomed(window);
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

  /** Events with their colours, as marks at the foot of every plot. */
  mark(marks) {
    this.marks = marks;
    this.draw();
  }

  draw() {
    if (this.run) for (const plot of this.plots) this.paint(plot);
  }

  /** Axes and curves; the cursor is an element above them, so that moving it costs next to nothing. */
  paint(plot) {
    const { canvas } = plot;
    const width = canvas.clientWidth,
      height = canvas.clientHeight;
    if (!width || !height) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    this.ink(plot, pen, width, height);
    this.cursor(plot);
  }

  ink(plot, pen, width, height) {
    const style = getComputedStyle(this.host);
    const colour = (name) => style.getPropertyValue(name);
    const [t0, t1] = this.span;
    const shown = plot.curves.filter((_, k) => !plot.hidden.has(k));
    const [from, to] = [this.run.locate(t0)[0], this.run.locate(t1)[0] + 2];
    const columns = shown.flatMap(({ column, other }) => (other && !this.window ? [column, other] : [column]));
    const [low, high] = range(columns, from, to);
    const x = (t) => LEFT + ((t - t0) / (t1 - t0)) * (width - LEFT - RIGHT);
    const y = (v) => TOP + ((high - v) / (high - low)) * (height - TOP - BOTTOM);
    plot.x = x;
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = colour("--soft");
    pen.strokeStyle = colour("--grid");
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const v of ticks(low, high, (height - TOP - BOTTOM) / 26)) {
      stroke(pen, [[LEFT, y(v)], [width - RIGHT, y(v)]]);
      pen.fillText(show(v), LEFT - 6, y(v));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const times = ticks(t0, t1, width / 90);
    times.forEach((t, k) => {
      stroke(pen, [[x(t), TOP], [x(t), height - BOTTOM]]);
      pen.fillText(show(t, 6) + (k === times.length - 1 ? " s" : ""), Math.min(x(t), width - RIGHT - 12), height - BOTTOM + 6);
    });
    pen.save();
    pen.translate(9, TOP + 0.5 * (height - TOP - BOTTOM));
    pen.rotate(-0.5 * Math.PI);
    const unit = [...new Set(plot.curves.map((curve) => curve.unit))].filter(Boolean).join(", ");
    pen.fillText(unit ? `[${unit}]` : "", 0, -6);
    pen.restore();
    for (const { t, colour: ink } of this.marks) {
      if (t < t0 || t > t1) continue;
      pen.strokeStyle = ink;
      stroke(pen, [[x(t), height - BOTTOM - 6], [x(t), height - BOTTOM]]);
    }
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, TOP - 2, width - LEFT - RIGHT, height - TOP - BOTTOM + 4);
    pen.clip();
    plot.curves.forEach((curve, k) => {
      if (plot.hidden.has(k)) return;
      pen.strokeStyle = COLOURS[k % COLOURS.length];
      pen.lineWidth = 1.2;
      pen.globalAlpha = 0.45;
      pen.setLineDash([2, 3]);
      if (curve.other) trace(pen, this.reference.t, curve.other, x, y);
      pen.globalAlpha = 1;
      pen.lineWidth = 1.6;
      pen.setLineDash(curve.dashed ? [6, 4] : []);
      trace(pen, this.run.t, curve.column, x, y, from, to);
    });
    pen.restore();
  }

  cursor({ cursor, x, curves, values }, hurried = false) {
    if (!x) return;
    const [t0, t1] = this.span;
    cursor.style.transform = `translateX(${x(this.time).toFixed(1)}px)`;
    cursor.style.visibility = this.time < t0 || this.time > t1 ? "hidden" : "visible";
    if (hurried) return;
    curves.forEach((curve, k) => {
      values[k].textContent = `${show(this.run.value(curve.column, this.time))} ${curve.unit}`;
    });
  }

  /** The plot as a picture, twice as fine as on the screen, on the colour of its panel. */
  png(plot) {
    const [width, height] = [plot.canvas.clientWidth, plot.canvas.clientHeight + 18];
    const sheet = element("canvas", { width: 2 * width, height: 2 * height });
    const pen = sheet.getContext("2d");
    pen.scale(2, 2);
    pen.fillStyle = getComputedStyle(this.host).getPropertyValue("--panel");
    pen.fillRect(0, 0, width, height);
    pen.font = "11px system-ui, sans-serif";
    let at = LEFT;
    plot.curves.forEach(({ label }, k) => {
      if (plot.hidden.has(k)) return;
      pen.fillStyle = COLOURS[k % COLOURS.length];
      pen.fillText(`— ${label}`, at, 13);
      at += pen.measureText(`— ${label}`).width + 14;
    });
    pen.translate(0, 18);
    this.ink(plot, pen, width, height - 18);
    sheet.toBlob((blob) => save(blob, `${plot.names[0]}.png`));
  }

  /** The samples of this plot within the time that is shown. */
  csv(plot) {
    const [t0, t1] = this.span;
    const names = plot.curves.map(({ label, unit }) => `"${label.replaceAll('"', '""')} [${unit}]"`);
    const lines = [["t [s]", ...names].join(",")];
    this.run.t.forEach((t, i) => {
      if (t >= t0 && t <= t1) lines.push([t, ...plot.curves.map(({ column }) => column[i])].join(","));
    });
    save(new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }), `${plot.names[0]}.csv`);
  }
}

/** A curve, broken where it jumps and where it has no number: both values at a jump are drawn, no line between them. */
function trace(pen, t, column, x, y, from = 0, to = Infinity) {
  pen.beginPath();
  let down = false;
  for (let i = Math.max(0, from); i < Math.min(to, column.length); i++) {
    if (!Number.isFinite(column[i])) {
      down = false;
      continue;
    }
    if (down && t[i] !== t[i - 1]) pen.lineTo(x(t[i]), y(column[i]));
    else pen.moveTo(x(t[i]), y(column[i]));
    down = true;
  }
  pen.stroke();
}

function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name.replace(/[^\w.-]+/g, "_") });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function stroke(pen, points) {
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}
