"""Fonts: the two faces of the site, cut down to the letters and weights it uses."""

from __future__ import annotations

import io
from functools import partial

from builder import disk_cache
from builder.paths import NODE_MODULES, ROOT

_PACKAGES = NODE_MODULES / "@fontsource-variable"
FOLDER = ROOT / ".cache" / "fonts"  # the style sheets name this place
FACES = {
    "inter": "inter/files/inter-latin-wght-normal.woff2",
    "source-serif": "source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
    "source-serif-italic": "source-serif-4/files/source-serif-4-latin-wght-italic.woff2",
}
WEIGHTS = (400, 650)
_LETTERS = (
    "U+0020-007E,U+00A0,U+00A7,U+00B0-00B3,U+00B5,U+00B7,U+00B9,U+00C4,U+00D6,U+00DC,U+00DF-00E1,U+00E4,U+00E7-00EB,U+00F1,U+00F3,U+00F6,U+00FC,U+2009,U+2010-2014,U+2018,U+2019,U+201C,"
    "U+201D,U+2020,U+2026,U+202F,U+2070-207B,U+2080-2089,U+20AC,U+2190-2193,U+2212,U+2248,U+2260,U+2264,U+2265"
)
_FEATURES = ["kern", "liga", "tnum", "lnum", "calt", "ccmp", "mark", "sups", "subs", "frac", "case"]
_RECIPE = repr((_LETTERS, _FEATURES, WEIGHTS)).encode()


def write_subsets() -> None:
    """Have every face ready under the name the style sheets import it by: .cache/fonts/<face>.woff2."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for face, source in FACES.items():
        whole = (_PACKAGES / source).read_bytes()
        content = disk_cache.cached(f"{face}.woff2", (whole, _RECIPE), partial(subset_of, whole))
        target = FOLDER / f"{face}.woff2"
        if not target.exists() or target.read_bytes() != content:
            target.write_bytes(content)


def subset_of(face: bytes) -> bytes:
    """Return the face with our letters and weights only."""
    # Imported late: they take half a second, and most builds find every face in .cache/.
    from fontTools import subset  # noqa: PLC0415
    from fontTools.ttLib import TTFont  # noqa: PLC0415
    from fontTools.varLib import instancer  # noqa: PLC0415

    read = TTFont(io.BytesIO(face), recalcTimestamp=False)
    instance = instancer.instantiateVariableFont(read, {"wght": WEIGHTS})
    instance.flavor = None
    between = io.BytesIO()  # the subsetter needs tables as they are read, not as the instancer leaves them
    instance.save(between)
    between.seek(0)
    font = TTFont(between, recalcTimestamp=False)
    cutter = subset.Subsetter(subset.Options(layout_features=_FEATURES))
    cutter.populate(unicodes=subset.parse_unicodes(_LETTERS))
    cutter.subset(font)
    font.flavor = "woff2"
    packed = io.BytesIO()
    font.save(packed)
    return packed.getvalue()
