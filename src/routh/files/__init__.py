"""Model files: text in, Model out, and back. Files are data: nothing in them runs, and they name no other file.

| module | what |
|---|---|
| `modelfile` | `read_model`, `parse_model`, `write_model`, `format_model`: what callers use |
| `syntax`, `lines` | TOML, JSON or YAML text as plain data, and the line on which each path stands |
| `elements` | which declarations there are, found from the type hints of Model: a new one needs no line here |
| `quantities` | the unit of every field |
| `units` | "5 kN/m" as a number in SI, checked against the field's unit |
| `reading`, `writing` | plain data to Model and back |
| `changes` | `--set bounce.law.mu=0.1`: one entry of the data changed by its path |
| `schema` | the same rules as JSON Schema, for editors |
| `mesh` | `read_mesh`: corners of an STL or OBJ, for `shapes.Hull` |
| `urdf`, `mjcf`, `mjcf_frames` | robots from other formats, with notes of what was left out |
| `robot`, `solids`, `safe_xml` | what both share: links to bodies, mass of primitive solids, XML of strangers |
"""
