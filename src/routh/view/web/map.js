/** Classes over two parameters: coloured fields, a legend, and a mark where we are. */

import { axes } from "./impact.js";
import { element } from "./run.js";

const TROUBLE = { inconsistent: "#d9534f", jam: "#d9534f", tangential: "#a94442" };
const COLOURS = [
  "#9fc5e8",
  "#f4b183",
  "#a9d18e",
  "#e8a0bf",
  "#c9b3e6",
  "#ffe08a",
  "#7fc8c4",
  "#d9a3c0",
  "#b7b7b7",
  "#8fa3d9",
  "#c2d96b",
  "#e8c4a0",
  "#888888",
];

/** `{title, x: [label, low, high], y, shape: [rows, columns], classes: base64 of bytes, labels, mark: [x, y] | null}`. */
export function map({ title, x, y, shape: [rows, columns], classes, labels, mark }) {
  const kinds = Uint8Array.from(atob(classes), (c) => c.charCodeAt(0));
  const colour = (kind) => TROUBLE[labels[kind]] ?? COLOURS[kind % COLOURS.length];
  const frame = axes([x[1], x[2], y[1], y[2]], x[0], y[0], false);
  const wide = (frame.x(x[2]) - frame.x(x[1])) / columns,
    tall = (frame.y(y[1]) - frame.y(y[2])) / rows;
  for (let i = 0; i < rows; i++) {
    for (let j = 0, from = 0; j < columns; j++) {
      // one rectangle per stretch of equal class
      const kind = kinds[i * columns + j];
      if (j + 1 < columns && kinds[i * columns + j + 1] === kind) continue;
      frame.inside.append(
        element("rect", {
          x: frame.x(x[1]) + from * wide,
          y: frame.y(y[1]) - (i + 1) * tall,
          width: (j + 1 - from) * wide,
          height: tall,
          fill: colour(kind),
          "shape-rendering": "crispEdges",
        }),
      );
      from = j + 1;
    }
  }
  if (mark) frame.inside.append(element("circle", { cx: frame.x(mark[0]), cy: frame.y(mark[1]), r: 5, class: "here" }));
  const present = [...new Set(kinds)].sort((a, b) => a - b);
  return element(
    "div",
    { class: "card" },
    element("h3", {}, title),
    frame.svg,
    element(
      "div",
      { class: "legend" },
      ...present.map((kind) =>
        element("span", { class: "key" }, element("i", { class: "field", style: `background:${colour(kind)}` }), labels[kind]),
      ),
    ),
  );
}
