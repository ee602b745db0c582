/** The whole of a report: scene with its clock, plots, ledger with the chosen blow, energy, reactions, model. */

import { card } from "./blow.js";
import { Plots } from "./plots.js";
import { Run, element, show } from "./run.js";
import { Scene } from "./scene.js";
import { energy, ledger, model, reactions } from "./tables.js";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const READ_EVERY = 6; // frames between updates of the numbers while playing
const TRAVELS = 100; // lengths of all bodies together that make a journey, which the camera follows
const SHORTEST = 4,
  LONGEST = 20; // seconds that a whole run takes on the screen

export class Viewer {
  /** Build into `root`; `three` has THREE and OrbitControls. */
  constructor(root, three) {
    this.root = root;
    root.classList.add("routh");
    root.viewer = this;
    this.playing = false;
    this.stage = element("div", { class: "stage" });
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: 1,
      step: "any",
      value: 0,
      "aria-label": "time",
      oninput: () => {
        this.pause();
        this.seek(Number(this.slider.value));
      },
    });
    this.clock = element("output", { class: "clock" });
    this.playButton = element("button", { class: "play", "aria-label": "play", onclick: () => this.toggle() }, "▶");
    this.speed = element("select", { "aria-label": "speed" }, ...SPEEDS.map((s) => element("option", { value: s }, `${s}×`)));
    this.paths = element("input", { type: "checkbox", onchange: () => this.scene?.set("paths", this.paths.checked) });
    this.follow = element("input", { type: "checkbox", onchange: () => this.scene?.set("follow", this.follow.checked) });
    const controls = element(
      "div",
      { class: "controls" },
      this.playButton,
      element("button", { "aria-label": "previous event", title: "previous event (,)", onclick: () => this.jump(-1) }, "◀◀"),
      element("button", { "aria-label": "next event", title: "next event (.)", onclick: () => this.jump(1) }, "▶▶"),
      this.slider,
      this.clock,
      this.speed,
      element("label", {}, this.paths, " paths"),
      element("label", {}, this.follow, " follow"),
      element(
        "button",
        {
          title: "see everything",
          onclick: () => {
            this.scene?.aim();
            this.scene?.draw();
          },
        },
        "fit",
      ),
    );
    this.plotHost = element("section", { class: "panel", "aria-label": "plots" });
    this.blowHost = element("div", { class: "blowhost" });
    this.sections = Object.fromEntries(["impacts", "energy", "reactions", "model"].map((name) => [name, element("div")]));
    const panel = (title, ...content) =>
      element("section", { class: "panel", "aria-label": title }, element("h2", {}, title), ...content);
    root.append(
      element("div", { class: "top" }, element("section", { class: "panel scene" }, this.stage, controls), this.plotHost),
      element(
        "div",
        { class: "bottom" },
        element(
          "div",
          {},
          panel("Impacts", element("div", { class: "beside" }, this.sections.impacts, this.blowHost)),
          panel("Model and settings", this.sections.model),
        ),
        element("div", {}, panel("Energy account", this.sections.energy), panel("Joint reactions", this.sections.reactions)),
      ),
    );
    try {
      this.scene = new Scene(this.stage, three, this.dark);
    } catch (reason) {
      this.stage.append(
        element(
          "p",
          { class: "note" },
          `The moving picture needs WebGL, which this browser does not offer here (${reason.message}); plots and tables work all the same.`,
        ),
      );
    }
    this.plots = new Plots(this.plotHost, (t) => {
      this.pause();
      this.seek(t);
    });
    root.addEventListener("keydown", (event) => this.key(event));
  }

  get dark() {
    return this.root.classList.contains("dark");
  }

  setDark(dark) {
    this.root.classList.toggle("dark", dark);
    this.scene?.setDark(dark);
    this.plots.draw();
  }

  /** Show a run; time, speed, view and plots stay where they were if there was one before. */
  load(document) {
    const first = !this.run;
    this.run = new Run(document);
    const { start, end } = this.run;
    Object.assign(this.slider, { min: start, max: end });
    this.stops = [
      ...new Set([start, ...document.impacts.map((row) => row.t), ...document.events.map((row) => row.t), end]),
    ].sort((a, b) => a - b);
    if (first) {
      const length = end - start;
      this.speed.value = SPEEDS.filter((s) => length / s >= SHORTEST).pop() ?? SPEEDS[0];
      if (length / Number(this.speed.value) > LONGEST && length > LONGEST)
        this.speed.value = SPEEDS.find((s) => length / s <= LONGEST) ?? SPEEDS.at(-1);
      const { low, high, span, bodies } = document.scene;
      this.follow.checked = Math.max(...high.map((x, k) => x - low[k])) > TRAVELS * span;
      this.paths.checked = bodies.length <= 6;
      if (this.scene) this.scene.options = { paths: this.paths.checked, follow: this.follow.checked };
    }
    this.scene?.load(this.run);
    this.plots.load(this.run);
    this.seek(first ? start : Math.min(Math.max(this.time, start), end));
    clearTimeout(this.later);
    if (first) this.fill();
    else this.later = setTimeout(() => this.fill(), 0); // the picture comes before the tables
  }

  /** Write the tables. */
  fill() {
    const { reactions: peaks } = this.run.document;
    const seek = (t) => {
      this.pause();
      this.seek(t);
    };
    this.blowHost.replaceChildren();
    this.sections.impacts.replaceChildren(ledger(this.run, (row) => this.pick(row)));
    this.sections.energy.replaceChildren(energy(this.run));
    this.sections.reactions.replaceChildren(reactions(this.run, (names) => this.plots.add(names), seek));
    this.sections.reactions.parentElement.hidden = !peaks.length;
    this.sections.model.replaceChildren(model(this.run));
  }

  /** Go to time t; `hurried` while playing, when numbers that nobody can read need no update. */
  seek(t, hurried = false) {
    this.time = Math.min(Math.max(t, this.run.start), this.run.end);
    this.slider.value = this.time;
    this.root.dataset.time = this.time;
    this.scene?.show(this.time);
    this.plots.show(this.time, hurried);
    if (hurried) return;
    this.slider.setAttribute("aria-valuetext", `${show(this.time)} seconds`);
    this.clock.textContent = `${this.time.toFixed(4)} s`;
  }

  /** Go to a blow of the ledger and show what happened in it. */
  pick(row) {
    this.pause();
    this.seek(row.t);
    this.scene?.point(row.point);
    this.blowHost.replaceChildren(row.blow ? card(row.blow) : element("p", { class: "note" }, row.why_no_path ?? ""));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.run.end) this.seek(this.run.start);
    this.playing = true;
    this.playButton.textContent = "❚❚";
    this.playButton.setAttribute("aria-label", "pause");
    this.scene?.point(null);
    let before = performance.now(),
      frames = 0;
    const frame = (now) => {
      if (!this.playing) return;
      this.seek(this.time + (Math.max(0, now - before) / 1000) * Number(this.speed.value), ++frames % READ_EVERY !== 0);
      before = now;
      if (this.time >= this.run.end) this.pause();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() {
    if (this.playing) this.seek(this.time);
    this.playing = false;
    this.playButton.textContent = "▶";
    this.playButton.setAttribute("aria-label", "play");
  }

  /** To the next (+1) or previous (-1) event. */
  jump(way) {
    this.pause();
    const next = way > 0 ? this.stops.find((t) => t > this.time) : this.stops.findLast((t) => t < this.time);
    if (next !== undefined) this.seek(next);
  }

  key(event) {
    if (
      ["INPUT", "SELECT", "TEXTAREA", "BUTTON", "SUMMARY"].includes(event.target.tagName) ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    const step = (this.run.end - this.run.start) / 200;
    const actions = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.seek(this.time - step),
      ArrowRight: () => this.seek(this.time + step),
      ",": () => this.jump(-1),
      ".": () => this.jump(1),
      Home: () => this.seek(this.run.start),
      End: () => this.seek(this.run.end),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  dispose() {
    this.pause();
    clearTimeout(this.later);
    this.scene?.dispose();
    this.plots.watch.disconnect();
    this.root.replaceChildren();
  }
}
