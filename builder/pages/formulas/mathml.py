"""MathML in less markup than latex2mathml writes: the same formula to every browser, and pages hold hundreds."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree as ET

# What goes without saying: the namespace in HTML, cells to the left (the style sheet's), that brackets stretch.
_UNSAID = re.compile(
    r' xmlns="http://www.w3.org/1998/Math/MathML"| columnalign="left"'
    r'| stretchy="true" fence="true" form="(?:pre|post)fix"'
)
_NOTHING = re.compile(r"<mo />")
_GROUP_OF_ONE = re.compile(r"<mrow>(<(m[ino]|mtext)>[^<]*</\2>)</mrow>")
_REFERENCE = re.compile(r"&#x(?!0*(?:22|26|3C|3E);)[0-9A-F]+;")
_ARE_ROWS = frozenset({"math", "mrow", "mtd"})  # their content is a row without an mrow


def shortened(mathml: str) -> str:
    """Formula without redundant elements and without rows that are the only child of a row.

    >>> shortened("<math><mrow><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></mrow></math>")
    '<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>'
    """
    mathml = _NOTHING.sub("", _UNSAID.sub("", mathml))
    mathml = _REFERENCE.sub(lambda found: html.unescape(found[0]), _GROUP_OF_ONE.sub(r"\1", mathml))
    root = ET.fromstring(mathml)  # noqa: S314  our own converter's
    for element in root.iter():
        while element.tag in _ARE_ROWS and len(element) == 1 and element[0].tag == "mrow" and not element[0].attrib:
            element[:] = element[0][:]
    return ET.tostring(root, encoding="unicode")
