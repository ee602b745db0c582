/** Opens a report: its runs, the theme, sliders where there is a grid of runs, points where there is a study. */

import { element, show } from "./run.js";
import { Study } from "./study.js";
import { Viewer } from "./viewer.js";

export function open(three) {
  const { title, runs, grid, study } = JSON.parse(document.getElementById("data").textContent);
  const root = document.getElementById("report");
  const wish = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const viewer = new Viewer(document.getElementById("viewer"), three);
  viewer.canCompare = Boolean(grid || study);
  let points = null;
  const paint = () => {
    const dark = chosen ?? wish.matches;
    root.classList.toggle("dark", dark);
    viewer.setDark(dark);
    points?.draw();
  };
  wish.addEventListener("change", paint);
  const status = element("span", { class: "status" });
  document.getElementById("head").append(
    element("h1", {}, title),
    status,
    element(
      "button",
      {
        class: "theme",
        "aria-label": "light or dark",
        onclick: () => {
          chosen = !(chosen ?? wish.matches);
          paint();
        },
      },
      "◐",
    ),
  );
  const load = (run) => {
    viewer.load(run);
    status.classList.toggle("broken", !run.success);
    status.title = run.message;
    const stepped = run.exact_share < 1 ? `, ${(100 * (1 - run.exact_share)).toPrecision(2)} % of it by time steps` : "";
    status.textContent = `${run.success ? run.status : run.message}; ${show(viewer.run.start)} to ${show(viewer.run.end)} s, ${run.impact_count} ${run.impact_count === 1 ? "impact" : "impacts"}${stepped}`;
  };
  if (grid) document.getElementById("head").after(sliders(grid, (index) => load(runs[index])));
  if (study) {
    points = new Study(study, (index) => load(runs[index]));
    document.getElementById("head").after(points.panel);
    points.draw();
  } else load(runs[0]);
  paint();
}

/** One slider per parameter; the runs are in the order of the grid, the last parameter fastest. */
function sliders(grid, choose) {
  const at = grid.map(() => 0);
  const update = () => choose(grid.reduce((index, { values }, k) => index * values.length + at[k], 0));
  return element(
    "div",
    { class: "panel grid" },
    ...grid.map(({ name, values }, k) => {
      const value = element("output", {}, show(values[0]));
      const slider = element("input", {
        type: "range",
        min: 0,
        max: values.length - 1,
        step: 1,
        value: 0,
        "aria-label": name,
        oninput: () => {
          at[k] = Number(slider.value);
          value.textContent = show(values[at[k]]);
          update();
        },
      });
      return element("label", {}, `${name} = `, value, slider);
    }),
  );
}
