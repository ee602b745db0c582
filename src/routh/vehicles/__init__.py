"""Tracked vehicles in the plane, made of parameters.

| module | what |
|---|---|
| `parts` | chassis, wheels, arms, links, drives: numbers with names |
| `tracked` | `TrackedVehicle`, the template made of them; `OPTIONS`, numerical choices that suit it |
| `hull` | the way of the pins round the wheels |
| `excavator` | the machine of [shin]: 42 links, rigid axles, two teeth per link |
| `carrier` | 64 links, road wheels on sprung arms, a tensioner, one tooth per link |
"""
