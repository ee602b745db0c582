/** The whole of a report: scene, plots, one timeline, ledger with the chosen impact, energy, reactions, model. */

import { card } from "./impact.js";
import { Plots } from "./plots.js";
import { Run, element, show } from "./run.js";
import { KINDS } from "./forces.js";
import { Scene } from "./scene.js";
import { energy, ledger, model, reactions } from "./tables.js";
import { Timeline } from "./timeline.js";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const READ_EVERY = 6; // frames between updates of the numbers while playing
const SHORTEST = 4,
  LONGEST = 20; // seconds that a whole run takes on the screen

export class Viewer {
  /** Build into `root`; `three` has THREE and OrbitControls. */
  constructor(root, three) {
    this.root = root;
    root.classList.add("routh");
    root.viewer = this;
    this.playing = false;
    this.canCompare = false; // where another run may follow: in the app, and over a grid of runs
    this.stage = element("div", { class: "stage" });
    this.timeline = new Timeline(
      (t) => {
        this.pause();
        this.seek(t);
      },
      () => this.plots.mark(this.marks()),
    );
    this.slider = this.timeline.slider;
    this.clock = element("output", { class: "clock" });
    this.playButton = element("button", { class: "play", "aria-label": "play", onclick: () => this.toggle() }, "▶");
    this.speed = element("select", { "aria-label": "speed" }, ...SPEEDS.map((s) => element("option", { value: s }, `${s}×`)));
    this.speed.addEventListener("change", () => this.pace());
    const controls = element(
      "div",
      { class: "controls" },
      this.playButton,
      element("button", { "aria-label": "previous event", title: "previous event (,)", onclick: () => this.jump(-1) }, "◀◀"),
      element("button", { "aria-label": "next event", title: "next event (.)", onclick: () => this.jump(1) }, "▶▶"),
      this.clock,
      this.speed,
      this.timeline.root,
    );
    this.switches = element("div", { class: "switches" });
    this.plotHost = element("section", { class: "panel", "aria-label": "plots" });
    this.impactHost = element("div", { class: "impacthost" });
    this.sections = Object.fromEntries(["impacts", "energy", "reactions", "model"].map((name) => [name, element("div")]));
    const panel = (title, ...content) =>
      element("section", { class: "panel", "aria-label": title }, element("h2", {}, title), ...content);
    root.append(
      element("div", { class: "top" }, element("section", { class: "panel scene" }, this.stage, this.switches), this.plotHost),
      element("section", { class: "panel clockwork", "aria-label": "time" }, controls),
      element(
        "div",
        { class: "bottom" },
        panel("Impacts", element("div", { class: "beside" }, this.sections.impacts, this.impactHost)),
        element("div", { class: "stack" }, panel("Energy account", this.sections.energy), panel("Joint reactions", this.sections.reactions)),
      ),
      panel("Model and settings", this.sections.model),
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
    this.plots = new Plots(
      this.plotHost,
      (t) => {
        this.pause();
        this.seek(t);
      },
      (window) => this.timeline.setRange(window),
    );
    root.addEventListener("keydown", (event) => this.key(event));
  }

  get dark() {
    return this.root.classList.contains("dark");
  }

  setDark(dark) {
    this.root.classList.toggle("dark", dark);
    this.scene?.setDark(dark);
    this.plots.draw();
    this.timeline.paint();
  }

  /** Events that are shown, with their colours. */
  marks() {
    return this.timeline.marks.map(({ t, kind }) => ({ t, colour: this.timeline.colour(kind) }));
  }

  /** The pace of the clock has changed. */
  pace() {
    if (this.scene) this.scene.speed = Number(this.speed.value);
  }

  /** What can be switched in the scene: arrows, colours, and how it is seen. */
  furnish() {
    const { scene } = this;
    if (!scene) return;
    const { options } = scene;
    const box = (label, checked, act, title = "") =>
      element("label", { title }, element("input", { type: "checkbox", checked, onchange: (event) => act(event.currentTarget.checked) }), ` ${label}`);
    const option = (label, name, title) => box(label, options[name], (on) => scene.set(name, on), title);
    const arrows = scene.forces.kinds.map((kind) => {
      const made = box(KINDS[kind].label, options.arrows.has(kind), (on) => {
        options.arrows[on ? "add" : "delete"](kind);
        scene.show(this.time);
      });
      made.style.setProperty("--swatch", KINDS[kind].colour);
      made.classList.add("swatch");
      return made;
    });
    const colours = element(
      "select",
      { "aria-label": "colour of the bodies", onchange: (event) => scene.set("colour", event.currentTarget.value) },
      ...scene.colourings.map((name) => element("option", { value: name, selected: name === options.colour }, name === "bodies" ? "own colours" : `colour: ${name}`)),
    );
    this.keepButton = element(
      "button",
      { title: "keep this run as a pale reference beside the next ones", onclick: () => this.keep(scene.reference ? null : this.run) },
      scene.reference ? "drop reference" : "keep as reference",
    );
    this.switches.replaceChildren(
      ...arrows,
      option("paths", "paths", "ways of the mass centres"),
      option("follow", "follow", "the camera goes with the bodies"),
      option("shadows", "shadows", "soft shadows; without them the picture is faster"),
      ...(scene.planar ? [option("3-D", "tilt", "seen from the side; the right mouse button turns it")] : []),
      colours,
      element("button", { title: "poses before and after this instant (g)", onclick: () => this.ghost() }, "ghosts"),
      element("button", { title: "see everything", onclick: () => scene.aim() }, "fit"),
      ...(this.canCompare ? [this.keepButton] : []),
    );
  }

  /** Poses around this instant, or none again. */
  ghost() {
    if (!this.scene) return;
    this.pause();
    if (this.scene.ghostTimes) this.scene.ghost(null);
    else this.scene.around(this.time);
    this.scene.draw();
  }

  /** Keep a run beside the next ones, in scene and plots. */
  keep(run) {
    this.scene?.compare(run);
    this.plots.load(this.run, run, this.marks());
    this.furnish();
  }

  /** Show a run; time, speed, view and plots stay where they were if there was one before. */
  load(document) {
    const first = !this.run;
    this.run = new Run(document);
    const { start, end } = this.run;
    this.timeline.load(this.run);
    this.stops = [
      ...new Set([start, ...document.impacts.map((row) => row.t), ...document.events.map((row) => row.t), end]),
    ].sort((a, b) => a - b);
    if (first) {
      const length = end - start;
      this.speed.value = SPEEDS.filter((s) => length / s >= SHORTEST).pop() ?? SPEEDS[0];
      if (length / Number(this.speed.value) > LONGEST && length > LONGEST)
        this.speed.value = SPEEDS.find((s) => length / s <= LONGEST) ?? SPEEDS.at(-1);
      if (this.scene)
        Object.assign(this.scene.options, { paths: document.scene.bodies.length <= 6, follow: document.scene.journey });
      this.pace();
    }
    this.scene?.load(this.run);
    this.plots.load(this.run, this.scene?.reference, this.marks());
    this.furnish();
    this.seek(first ? start : Math.min(Math.max(this.time, start), end));
    clearTimeout(this.later);
    if (first) this.fill();
    else this.later = setTimeout(() => this.fill(), 0); // the picture comes before the tables
  }

  /** Write the tables. */
  fill() {
    const { reactions: peaks, impacts } = this.run.document;
    const seek = (t) => {
      this.pause();
      this.seek(t);
    };
    this.impactHost.replaceChildren();
    this.sections.impacts.replaceChildren(ledger(this.run, (row) => this.pick(row)));
    this.sections.energy.replaceChildren(energy(this.run));
    this.sections.reactions.replaceChildren(reactions(this.run, (names) => this.plots.add(names), seek));
    this.sections.reactions.parentElement.hidden = !peaks.length;
    this.sections.impacts.closest("section").hidden = !impacts.length;
    this.root.classList.toggle("quiet", !impacts.length);
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

  /** Go to an impact of the ledger and show what happened in it. */
  pick(row) {
    this.pause();
    this.seek(row.t);
    this.scene?.point(row.point);
    this.scene?.around(row.t);
    this.impactHost.replaceChildren(row.impact ? card(row.impact) : element("p", { class: "note" }, row.why_no_path ?? ""));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.run.end) this.seek(this.run.start);
    this.playing = true;
    if (this.scene) this.scene.playing = true;
    this.playButton.textContent = "❚❚";
    this.playButton.setAttribute("aria-label", "pause");
    this.scene?.point(null);
    this.scene?.ghost(null);
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
    if (this.scene) this.scene.playing = false;
    if (this.playing && this.run) this.seek(this.time);
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
      g: () => this.ghost(),
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
    this.timeline.watch.disconnect();
    this.root.replaceChildren();
  }
}
