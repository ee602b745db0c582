/** One timeline under scene and plots: the whole run, its events by kind, the part that the plots show, and now. */

import { ticks } from "./plots.js";
import { element, show } from "./run.js";

const HEIGHT = 46;
const SIDE = 12;

export class Timeline {
  /** `seek(t)` when the user points at a time; `toggle()` when kinds of events are switched. */
  constructor(seek, toggle) {
    this.seek = seek;
    this.toggle = toggle;
    this.hidden = new Set();
    this.canvas = element("canvas", { class: "timeline" });
    this.slider = element("input", {
      type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "time", class: "time",
      oninput: () => this.seek(Number(this.slider.value)),
    });
    this.legend = element("div", { class: "kinds" });
    this.root = element("div", { class: "timebox" }, element("div", { class: "rail" }, this.canvas, this.slider), this.legend);
    this.watch = new ResizeObserver(() => this.paint());
    this.watch.observe(this.canvas);
  }

  load(run) {
    this.run = run;
    const { events, palette, event_count: count } = run.document;
    Object.assign(this.slider, { min: run.start, max: run.end });
    const kinds = new Map();
    for (const { kind } of events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    this.colour = (kind) => palette.events[kind] ?? palette.other;
    this.legend.replaceChildren(
      ...[...kinds].map(([kind, n]) =>
        element(
          "button",
          {
            class: "kind", "aria-pressed": String(!this.hidden.has(kind)), title: `show or hide the marks of “${kind}”`,
            onclick: (event) => {
              if (!this.hidden.delete(kind)) this.hidden.add(kind);
              event.currentTarget.setAttribute("aria-pressed", String(!this.hidden.has(kind)));
              this.paint();
              this.toggle();
            },
          },
          element("i", { style: `background:${this.colour(kind)}` }),
          `${kind} ${n}`,
        ),
      ),
      ...(count > events.length ? [element("span", { class: "note" }, `marks of the first ${events.length} of ${count} events`)] : []),
    );
    this.paint();
  }

  /** Events whose kind is shown. */
  get marks() {
    return this.run.document.events.filter(({ kind }) => !this.hidden.has(kind));
  }

  /** Go to time t; `range` is what the plots show. */
  show(t) {
    this.slider.value = t;
  }

  setRange(range) {
    this.range = range;
    this.paint();
  }

  paint() {
    const { clientWidth: width } = this.canvas;
    if (!width || !this.run) return;
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = width * scale;
    this.canvas.height = HEIGHT * scale;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(this.root);
    const { start, end } = this.run;
    const x = (t) => SIDE + ((t - start) / (end - start || 1)) * (width - 2 * SIDE);
    pen.fillStyle = style.getPropertyValue("--grid");
    pen.fillRect(SIDE, 12, width - 2 * SIDE, 8);
    if (this.range && (this.range[0] > start || this.range[1] < end)) {
      pen.fillStyle = style.getPropertyValue("--accent");
      pen.globalAlpha = 0.35;
      pen.fillRect(x(this.range[0]), 12, Math.max(2, x(this.range[1]) - x(this.range[0])), 8);
      pen.globalAlpha = 1;
    }
    for (const { t, kind } of this.marks) {
      pen.fillStyle = this.colour(kind);
      pen.fillRect(x(t) - 0.75, kind === "impact" ? 2 : 7, 1.5, kind === "impact" ? 18 : 13);
    }
    pen.fillStyle = style.getPropertyValue("--soft");
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const times = ticks(start, end, width / 80);
    times.forEach((t, k) => pen.fillText(show(t) + (k === times.length - 1 ? " s" : ""), Math.min(Math.max(x(t), 12), width - 16), 30));
  }
}
