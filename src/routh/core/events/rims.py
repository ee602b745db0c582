"""Cylinders that lie flat on an end, in space; the plane has none."""

from routh.core.twins import twin

lay_rims = twin("events.no_rims.lay_nothing", "events.flat_rims.lay_rims")
lay_tipping_rims = twin("events.no_rims.lay_no_tipping", "events.flat_rims.lay_tipping_rims")
