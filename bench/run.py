"""Run the benchmarks and print one table; ratios are of one run on one machine.

    python bench/run.py [NAME ...] [--json FILE]

NAME is calls, chain, contacts, double_pendulum, four_bar, friction, heaps, levels, ring, start or vehicle; all of them by
default.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import sys
from pathlib import Path

from common import ROUTH

COLUMNS = "{:<28}{:<26}{:>14}{:>8}  {:<9}{:<8}{}"
NAMES = ("calls", "chain", "contacts", "double_pendulum", "four_bar", "friction", "heaps", "levels", "ring", "start", "vehicle")


def with_ratios(rows):
    """Rows as mappings; Routh's with the ratio to the best peer of the case, and whether the goal is met."""
    best = {}
    for row in rows:
        if row.engine != ROUTH and row.value is not None:
            best[row.case] = min(row.value, best.get(row.case, row.value))
    for row in rows:
        entry = dataclasses.asdict(row) | {"ratio": None, "met": None}
        if row.engine == ROUTH and row.value is not None:
            entry["ratio"] = row.value / best[row.case] if row.case in best else None
            if row.goal is not None:
                entry["met"] = row.value <= row.goal
            elif row.goal_ratio is not None and entry["ratio"] is not None:
                entry["met"] = entry["ratio"] <= row.goal_ratio
        yield entry


def line(entry):
    """One line of the table."""
    value = "-" if entry["value"] is None else f"{entry['value']:.4g} {entry['unit']}"
    ratio = "" if entry["ratio"] is None else f"{entry['ratio']:.3f}"
    goal = ""
    if entry["goal"] is not None:
        goal = f"<= {entry['goal']:g}"
    elif entry["goal_ratio"] is not None:
        goal = f"<= {entry['goal_ratio']:g}x"
    met = {None: "", True: "met", False: "MISSED"}[entry["met"]]
    return COLUMNS.format(entry["case"], entry["engine"], value, ratio, goal, met, entry["note"]).rstrip()


def main():
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows as JSON")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(NAMES):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    rows = []
    for name in arguments.names or NAMES:
        print(f"running {name} ...", file=sys.stderr, flush=True)
        rows += importlib.import_module(f"bench_{name}").rows()
    entries = list(with_ratios(rows))
    print(COLUMNS.format("case", "engine", "value", "ratio", "goal", "", "note"))
    for entry in entries:
        print(line(entry))
    if arguments.json:
        arguments.json.write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
