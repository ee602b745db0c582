"""The browser workbench behind `routh app`: pages made with NiceGUI, served to this machine alone.

| module | what |
|---|---|
| `server` | starts it, on the loopback address only |
| `frame` | what all pages share: head, navigation, light and dark |
| `gallery_page` | the gallery with pictures |
| `bench_page` | one model: sliders that run it again, the moving scene, downloads; also for uploaded files |
| `impact_page` | one blow under every law, its path and class, maps of classes |
| `vehicle_page` | the tracked vehicle on ground of your choice |
| `knobs` | what can be turned on a model: restitution, friction, law, start values |
| `elements` | our scene and diagrams as elements of a page |
"""
