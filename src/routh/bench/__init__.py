"""Measurements of Routh beside other engines, in one run on one machine: `routh bench`.

Every module but those of the list below is a benchmark with `rows()`, and some have `curves(patience)`: error against cost.

| module | what |
|---|---|
| `common` | one core, rows and curves, clocks, peers that may be missing |
| `evaluation` | Routh's side of evaluations of accelerations |
| `measure` | runs benchmarks, and notes the machine and all versions |
| `pages` | Markdown pages and figures from what was measured |
"""
