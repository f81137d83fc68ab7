"""The ways to the calculators come from the catalog alone."""

from __future__ import annotations

import pytest
from mkdocs.config import load_config

from builder.pages import menu
from builder.paths import CONTENT
from builder.theme.site import CONFIG
from calculators.catalog import CALCULATORS, SUBJECTS

APPENDICES = ("glossary", "checklists", "acceptance", "amd", "capstone", "failure-data")


def test_every_calculator_has_a_page_and_every_page_a_calculator() -> None:
    there = {f"calculators/{path.name}" for path in (CONTENT / "calculators").glob("*.md")}
    assert there == {*menu.pages(), "calculators/index.md"}


def test_the_site_generators_settings_repeat_no_calculator() -> None:
    listed = str(load_config(str(CONFIG)).nav)
    assert not [page for page in menu.pages() if page in listed]


def test_the_home_page_lists_the_chapters_of_the_navigation_and_no_appendix() -> None:
    listed = [page for _, page in menu.chapters()]
    guide = next(entry["Guide"] for entry in load_config(str(CONFIG)).nav or () if "Guide" in entry)
    assert guide == ["guide/index.md", *listed, *(f"guide/{name}.md" for name in APPENDICES), menu.WHOLE]
    assert ("Checkpointing", "guide/checkpointing.md") in menu.chapters()
    assert "guide/" not in (CONTENT / "index.md").read_text("utf-8").replace("(guide/index.md)", "")


@pytest.mark.parametrize(
    ("page", "address", "root"),
    [
        ("index.md", "", "./"),
        ("guide/index.md", "guide/", "../"),
        ("guide/money.md", "guide/money/", "../../"),
        ("guide/failure-index.md", "guide/failure-index/", "../../"),  # a page like others, whatever its name ends with
        ("my-index.md", "my-index/", "../"),
    ],
)
def test_a_page_is_served_from_a_folder_of_its_name_except_an_index(page: str, address: str, root: str) -> None:
    assert (menu.url(page), menu.root(page)) == (address, root)


def test_counts_are_words_as_far_as_people_write_them() -> None:
    assert [menu.spelled(number) for number in (1, 4, 12, 13, 1400)] == ["one", "four", "twelve", "13", "1,400"]


def test_a_page_leads_first_to_its_own_subject_and_never_to_itself() -> None:
    for subject in SUBJECTS:
        for calculator in subject.calculators:
            near = menu.neighbors(calculator)
            assert calculator not in near
            assert len({each.name for each in near}) == len(near) <= 5
            others = [each for each in subject.calculators if each is not calculator]
            assert set(map(id, others[:5])) <= set(map(id, near))


def test_what_a_calculator_feeds_is_near_it_though_little_else_is_shared() -> None:
    """Inference computes the tokens of a GPU that cost asks for, and shares far more names with collectives."""
    near = {each.name for each in menu.neighbors(CALCULATORS["inference"])}
    assert {"cost", "storage_demand"} < near
    assert "collectives" not in near


def test_the_calculators_are_by_subject() -> None:
    assert [c.name for subject in SUBJECTS for c in subject.calculators] == list(CALCULATORS)


def test_each_calculator_leads_to_the_chapters_that_use_it_most() -> None:
    places = {name: [place for _, place in menu.told_in(name)] for name in CALCULATORS}
    assert all(places.values()), "a calculator that no chapter uses"
    assert places["checkpoint"][0] == "guide/checkpointing/"
    assert places["fabric"][0] == "guide/networks/"
    assert ("Money", "guide/money/") in menu.told_in("cost")
