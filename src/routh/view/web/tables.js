/** The tables of a report: ledger of impacts, energy account, joint reactions, model and settings. */

import { element, show } from "./run.js";

const HEADS = { t: "t", contact: "contact", what: "what", p_n: "pₙ", p_t: "pₜ", energy_lost: "lost" };

/** The impacts; `pick(row, index)` when one is chosen by mouse or keyboard. */
export function ledger(run, pick) {
  const { impacts, impact_count: count, impact_units: units } = run.document;
  if (!impacts.length) return element("p", { class: "note" }, "No impacts in this run.");
  const head = element(
    "tr",
    {},
    ...Object.keys(HEADS).map((key) =>
      element(
        "th",
        { scope: "col", class: units[key] ? "number" : false },
        units[key] ? `${HEADS[key]} [${units[key]}]` : HEADS[key],
      ),
    ),
  );
  const rows = impacts.map((row, index) => {
    const choose = () => {
      for (const other of body.children) other.removeAttribute("aria-selected");
      line.setAttribute("aria-selected", "true");
      pick(row, index);
    };
    const line = element(
      "tr",
      {
        tabindex: "0",
        onclick: choose,
        onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            event.stopPropagation();
            choose();
          }
        },
      },
      ...Object.keys(HEADS).map((key) =>
        element("td", { class: typeof row[key] === "number" ? "number" : false }, cell(row, key)),
      ),
    );
    return line;
  });
  const body = element("tbody", {}, ...rows);
  const more =
    count > impacts.length
      ? element("p", { class: "note" }, `… and ${count - impacts.length} more; result.impacts has all of them.`)
      : null;
  return element(
    "div",
    {},
    element("div", { class: "scroll" }, element("table", { class: "ledger" }, element("thead", {}, head), body)),
    more,
  );
}

function cell(row, key) {
  if (key === "t") return row.t.toFixed(6);
  return key === "what"
    ? row.kind === "impact"
      ? row.class
      : [row.kind, row.class].filter(Boolean).join(", ")
    : show(row[key]);
}

/** Start, works, end, and what is missing. */
export function energy(run) {
  return element(
    "table",
    { class: "account" },
    element("tr", {}, element("th"), element("th", {}, "energy [J]")),
    ...run.document.energy.map(([name, value]) => {
      const depth = (name.length - name.trimStart().length) / 2;
      return element(
        "tr",
        { class: depth ? "work" : "sum" },
        element("th", { style: `padding-left:${0.4 + depth}rem` }, name.trim()),
        element("td", { class: "number" }, show(value, 6)),
      );
    }),
  );
}

/** The largest reaction of every joint; `plot(name)` adds a plot of it. */
export function reactions(run, plot, seek) {
  const rows = run.document.reactions;
  if (!rows.length) return element("p", { class: "note" }, "No joints in this model.");
  const heads = ["joint", "force [N]", "at t [s]", "moment [N m]", "impulse [N s]"];
  return element(
    "div",
    { class: "scroll" },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element("tr", {}, ...heads.map((head, k) => element("th", { scope: "col", class: k ? "number" : false }, head))),
      ),
      element(
        "tbody",
        {},
        ...rows.map((row) => {
          const name = `${row.joint}.reaction`;
          const label = run.channels.has(name)
            ? element("button", { class: "plain link", title: "plot this reaction", onclick: () => plot([name]) }, row.joint)
            : row.joint;
          const moment = element(
            "button",
            { class: "plain link", title: "go to this instant", onclick: () => seek(row.t) },
            show(row.t),
          );
          return element(
            "tr",
            {},
            element("td", {}, label),
            element("td", { class: "number" }, show(row.force)),
            element("td", { class: "number" }, moment),
            element("td", { class: "number" }, show(row.moment)),
            element("td", { class: "number" }, show(row.impulse)),
          );
        }),
      ),
    ),
  );
}

/** Every element of the model with its fields, and how the run was computed. */
export function model(run) {
  const { declaration, statistics, status, version } = run.document;
  const declared = declaration.model ?? {};
  const lists = Object.entries(declared).filter(([, value]) => Array.isArray(value) && value.length && value[0]?.kind);
  const loose = Object.entries(declared).filter(
    ([key, value]) => !lists.some(([name]) => name === key) && !(Array.isArray(value) && !value.length),
  );
  return element(
    "div",
    {},
    fields("model", loose),
    ...lists.map(([key, items]) =>
      element(
        "details",
        {},
        element("summary", {}, `${key} (${items.length})`),
        ...items.slice(0, 200).map((item) => element("p", { class: "item" }, text(item))),
        items.length > 200 ? element("p", { class: "note" }, `… and ${items.length - 200} more`) : null,
      ),
    ),
    fields("how it was computed", [
      ["status", run.document.success ? status : run.document.message],
      ...Object.entries(declaration.options ?? {}),
      ...Object.entries(statistics),
      ["routh", version],
    ]),
  );
}

function fields(title, entries) {
  return element(
    "details",
    {},
    element("summary", {}, title),
    element(
      "table",
      {},
      ...entries
        .filter(([key, value]) => value !== null && key !== "kind")
        .map(([key, value]) => element("tr", {}, element("th", {}, key.replaceAll("_", " ")), element("td", {}, text(value)))),
    ),
  );
}

/** A declaration as it would be written: Revolute("pin", a = ground, ...). */
function text(value) {
  if (Array.isArray(value)) return value.length > 40 ? `(${value.length} values)` : `(${value.map(text).join(", ")})`;
  if (value && typeof value === "object") {
    const { kind, name, ...rest } = value;
    const inner = Object.entries(rest)
      .filter(([, x]) => x !== null && !(Array.isArray(x) && !x.length))
      .map(([key, x]) => `${key} = ${text(x)}`);
    return `${kind ?? ""}(${[...(name === undefined ? [] : [`"${name}"`]), ...inner].join(", ")})`;
  }
  return typeof value === "number" ? show(value, 6) : String(value);
}
