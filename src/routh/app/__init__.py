"""The browser workbench behind `routh app`: pages made with NiceGUI, served to this machine alone.

| module | what |
|---|---|
| `server` | starts it, on the loopback address only |
| `frame` | what all pages share: head, navigation, light and dark |
| `gallery_page`, `showcase` | the gallery: moving pictures, titles, tags, search |
| `bench_page` | one model: sliders that run it again, the moving scene, downloads |
| `model_page` | a model file in an editor, with samples and errors by line |
| `impact_page` | one impact under every law, its path and class, maps of classes |
| `vehicle_page` | the tracked vehicle on ground of your choice |
| `knobs`, `starts` | what can be turned on a model: restitution, friction, law, start values that are assembled |
| `elements` | our scene and diagrams as elements of a page |
"""
