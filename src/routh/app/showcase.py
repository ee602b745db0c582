"""How the gallery is shown: the scenes in the order of their appeal, with titles and tags."""

from __future__ import annotations

from dataclasses import dataclass

from routh.gallery.scenes import SCENES

__all__ = ["Card", "cards", "title_of"]

# the most striking first; what is not listed comes last
SHOWN: dict[str, tuple[str, str]] = {
    "dominoes": ("Falling dominoes", "impact friction plane"),
    "sphere_pile": ("Two hundred spheres", "pile friction space"),
    "billiards": ("Billiards break", "impact friction plane"),
    "woodpecker": ("Woodpecker toy", "impact friction plane"),
    "newtons_cradle": ("Newton's cradle", "impact plane"),
    "granular_column": ("Collapsing column of grains", "pile friction plane"),
    "slider_crank": ("Slider-crank engine", "mechanism plane"),
    "tippe_top": ("Tippe top", "friction space"),
    "eulers_disk": ("Euler's disk", "friction space"),
    "governor": ("Flyball governor", "mechanism space"),
    "slider_crank_clearance": ("Slider-crank with play in a pin", "mechanism impact plane"),
    "chain_over_edge": ("Chain over the edge of a table", "mechanism friction plane"),
    "card_house": ("House of cards", "pile friction plane"),
    "arch": ("Arch without mortar", "pile friction plane"),
    "bricard": ("Bricard's linkage", "mechanism space"),
    "rattleback": ("Rattleback", "friction space"),
    "park_bat": ("Ball and bat", "impact space"),
    "tank": ("Tank on torsion springs", "mechanism plane"),
    "rocking_block": ("Rocking block", "impact friction plane"),
    "park_ball": ("Bouncing ball with spin", "impact friction plane"),
    "four_bar": ("Four-bar linkage", "mechanism plane"),
    "double_pendulum": ("Double pendulum", "mechanism plane"),
    "bolt_feeder": ("Bolt feeder", "friction space"),
    "sliding_rod": ("Painlevé's sliding rod", "impact friction plane"),
    "park_pendulums": ("Colliding pendulums", "impact mechanism plane"),
    "pendulum_with_stop": ("Pendulum with stops", "impact mechanism plane"),
    "racket": ("Driven racket and ball", "impact mechanism plane"),
    "rope": ("Ball on a rope", "impact plane"),
    "chain": ("Hanging chain", "mechanism plane"),
    "box_stack": ("Stack of boxes", "pile friction space"),
    "ring": ("Ring of 42 links", "mechanism plane"),
    "simple_pendulum": ("Simple pendulum", "mechanism plane"),
}


@dataclass(frozen=True)
class Card:
    """One scene of the gallery."""

    name: str
    title: str
    about: str
    tags: tuple[str, ...]
    target: str

    def found(self, words: str, tag: str) -> bool:
        """Whether all words of a search occur in it, and the tag is among its own."""
        text = f"{self.name} {self.title} {self.about} {' '.join(self.tags)}".lower()
        return all(word in text for word in words.lower().split()) and (not tag or tag in self.tags)


def title_of(name: str) -> str:
    """What a scene is called on a page."""
    return SHOWN[name][0] if name in SHOWN else name.replace("_", " ").capitalize()


def cards() -> list[Card]:
    """Every scene, the most striking first."""
    order = [name for name in SHOWN if name in SCENES] + [name for name in SCENES if name not in SHOWN]
    scenes = [Card(name, title_of(name), SCENES[name].about, tuple(SHOWN.get(name, ("", ""))[1].split()), f"/scene/{name}")
              for name in order]  # fmt: skip
    return [scenes[0], EXCAVATOR, *scenes[1:]]


EXCAVATOR = Card(
    "vehicle", "Tracked excavator", "53 bodies on ground of your choice", ("mechanism", "friction", "plane"), "/vehicle"
)
