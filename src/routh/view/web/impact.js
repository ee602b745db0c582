/** One impact: Routh's diagram in the impulse plane, or the way of the slip in space, and its numbers. */

import { ticks } from "./plots.js";
import { element, show } from "./run.js";

const WIDE = 360,
  TALL = 300,
  LEFT = 56,
  RIGHT = 14,
  TOP = 14,
  BOTTOM = 42;
const MARKS = {
  start: "before",
  "slip stops": "slip stops",
  "end of compression": "end of compression",
  "compression resumes": "compression resumes",
  end: "after",
};

const LETTERS =
  "The path is the impulse as it grows from zero. On line S the slip has stopped, on C compression ends, and on F friction is at its limit: the path follows F while the contact slides.";
const WAY = "The path is the slip velocity during the impact; in the middle of the cross the slip has stopped.";

/** An svg of the impact. */
export function diagram(impact) {
  return impact.v.length === 2 ? routh(impact) : slip(impact);
}

/** Straight axes for points (x, y) within `box` = [x0, x1, y0, y1]. */
export function axes(box, xLabel, yLabel, equal) {
  let [x0, x1, y0, y1] = box;
  if (equal) {
    // one metre per second is as long both ways
    const half = 0.5 * Math.max((x1 - x0) / (WIDE - LEFT - RIGHT), (y1 - y0) / (TALL - TOP - BOTTOM));
    const [cx, cy] = [0.5 * (x0 + x1), 0.5 * (y0 + y1)];
    [x0, x1] = [cx - half * (WIDE - LEFT - RIGHT), cx + half * (WIDE - LEFT - RIGHT)];
    [y0, y1] = [cy - half * (TALL - TOP - BOTTOM), cy + half * (TALL - TOP - BOTTOM)];
  }
  const x = (v) => LEFT + ((v - x0) / (x1 - x0)) * (WIDE - LEFT - RIGHT);
  const y = (v) => TALL - BOTTOM - ((v - y0) / (y1 - y0)) * (TALL - TOP - BOTTOM);
  const clip = `clip-${Math.random().toString(36).slice(2)}`;
  const inside = element("g", { "clip-path": `url(#${clip})` });
  const svg = element(
    "svg",
    { viewBox: `0 0 ${WIDE} ${TALL}`, class: "impact", role: "img", "aria-label": `${yLabel} over ${xLabel}` },
    element(
      "defs",
      {},
      element(
        "clipPath",
        { id: clip },
        element("rect", { x: LEFT, y: TOP, width: WIDE - LEFT - RIGHT, height: TALL - TOP - BOTTOM }),
      ),
    ),
  );
  for (const v of ticks(x0, x1, 5))
    svg.append(
      element("line", { x1: x(v), x2: x(v), y1: TOP, y2: TALL - BOTTOM, class: "grid" }),
      element("text", { x: x(v), y: TALL - BOTTOM + 14, "text-anchor": "middle" }, show(v, 3)),
    );
  for (const v of ticks(y0, y1, 5))
    svg.append(
      element("line", { x1: LEFT, x2: WIDE - RIGHT, y1: y(v), y2: y(v), class: "grid" }),
      element("text", { x: LEFT - 5, y: y(v) + 4, "text-anchor": "end" }, show(v, 3)),
    );
  svg.append(
    inside,
    element("text", { x: 0.5 * (LEFT + WIDE - RIGHT), y: TALL - 8, "text-anchor": "middle" }, xLabel),
    element("text", { transform: `translate(12 ${0.5 * (TOP + TALL - BOTTOM)}) rotate(-90)`, "text-anchor": "middle" }, yLabel),
  );
  return { svg, inside, x, y, box: [x0, x1, y0, y1] };
}

/** The path with its marks; each mark has a title. */
function way(frame, points, marks) {
  const { inside, x, y } = frame;
  inside.append(
    element("path", {
      class: "way",
      d: points.map(([a, b], k) => `${k ? "L" : "M"}${x(a).toFixed(2)} ${y(b).toFixed(2)}`).join(""),
    }),
  );
  for (const [index, what] of marks) {
    const [a, b] = points[index];
    const dot = element("circle", { cx: x(a), cy: y(b), r: 4, class: what === "start" ? "mark open" : "mark" });
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = MARKS[what];
    dot.append(title);
    inside.append(dot);
  }
}

/** Lines S (no slip), C (greatest compression), F (limiting friction), and the way of the impulse. */
function routh({ A, v, mu, path }) {
  const points = path.impulse.map(([n, t]) => [t, n]);
  const tall = 1.18 * Math.max(...points.map((p) => p[1]), 1e-300);
  const wide = 1.25 * Math.max(...points.map((p) => Math.abs(p[0])), 0.35 * mu * tall, 0.1 * tall);
  const frame = axes([-wide, wide, -0.04 * tall, tall], "tangential impulse [N s]", "normal impulse [N s]", false);
  const [nn, nt, tt] = [A[0][0], A[0][1], A[1][1]];
  const lines = [
    ["F", [0, 0], [mu, 1]],
    ["F", [0, 0], [-mu, 1]],
    ["S", [-v[1] / tt, 0], [-nt, tt]],
    ["C", [0, -v[0] / nn], [nn, -nt]],
  ];
  for (const [name, [px, py], [dx, dy]] of lines) {
    const far = (4 * Math.max(wide, tall)) / Math.hypot(dx, dy);
    const { inside, x, y } = frame;
    inside.append(
      element("line", {
        class: `line ${name}`,
        x1: x(px - far * dx),
        y1: y(py - far * dy),
        x2: x(px + far * dx),
        y2: y(py + far * dy),
      }),
    );
    const spot = labelSpot([px, py], [dx, dy], frame.box);
    if (spot) inside.append(element("text", { class: `name ${name}`, x: x(spot[0]) + 4, y: y(spot[1]) - 3 }, name));
  }
  way(frame, points, path.marks);
  return frame.svg;
}

/** A point of the line p + s d that is well inside the box, near its end. */
function labelSpot(p, d, [x0, x1, y0, y1]) {
  let best = null;
  for (let k = -200; k <= 200; k++) {
    const s = ((k / 100) * Math.max(x1 - x0, y1 - y0)) / Math.hypot(...d);
    const [x, y] = [p[0] + s * d[0], p[1] + s * d[1]];
    const inside = x > 0.92 * x0 + 0.08 * x1 && x < 0.1 * x0 + 0.9 * x1 && y > 0.9 * y0 + 0.1 * y1 && y < 0.08 * y0 + 0.92 * y1;
    if (inside && (!best || y > best[1])) best = [x, y];
  }
  return best;
}

/** The slip velocity from before the impact to after it. */
function slip({ path }) {
  const points = path.velocity.map((u) => [u[1], u[2]]);
  const all = [...points, [0, 0]];
  const [x0, x1] = [Math.min(...all.map((p) => p[0])), Math.max(...all.map((p) => p[0]))];
  const [y0, y1] = [Math.min(...all.map((p) => p[1])), Math.max(...all.map((p) => p[1]))];
  const room = 0.15 * Math.max(x1 - x0, y1 - y0, 1e-12);
  const frame = axes(
    [x0 - room, x1 + room, y0 - room, y1 + room],
    "slip, first tangent [m/s]",
    "slip, second tangent [m/s]",
    true,
  );
  frame.inside.append(
    element("line", { class: "line F", x1: frame.x(-1e9), x2: frame.x(1e9), y1: frame.y(0), y2: frame.y(0) }),
    element("line", { class: "line F", x1: frame.x(0), x2: frame.x(0), y1: frame.y(-1e9), y2: frame.y(1e9) }),
  );
  way(frame, points, path.marks);
  return frame.svg;
}

/** What the impact did, as a table. */
export function numbers(impact) {
  const names = impact.v.length === 2 ? ["n", "t"] : ["n", "t1", "t2"];
  const row = (label, values, unit) =>
    element(
      "tr",
      {},
      element("th", {}, label),
      ...names.map((_, k) => element("td", {}, show(values[k]))),
      element("td", { class: "unit" }, unit),
    );
  const whole = (label, value) =>
    element(
      "tr",
      {},
      element("th", {}, label),
      element("td", { colspan: names.length }, show(value)),
      element("td", { class: "unit" }, "J"),
    );
  return element(
    "table",
    { class: "numbers" },
    element("tr", {}, element("th"), ...names.map((name) => element("th", {}, name)), element("th")),
    row("velocity before", impact.v, "m/s"),
    row("impulse", impact.impulse, "N s"),
    row("velocity after", impact.velocity, "m/s"),
    whole("energy lost", impact.lost),
    whole("… to restitution", impact.lost_normal),
    whole("… to friction", impact.lost_friction),
  );
}

/** Diagram, class and numbers together. */
export function card(impact) {
  const law = `${impact.law}, e = ${show(impact.e)}, μ = ${show(impact.mu)}`;
  return element(
    "div",
    { class: "card" },
    element("h3", {}, impact.class),
    element("p", { class: "note" }, law + (impact.creates_energy ? "; this law creates energy here" : "")),
    diagram(impact),
    element("p", { class: "note" }, impact.v.length === 2 ? LETTERS : WAY),
    numbers(impact),
  );
}
