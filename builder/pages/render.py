"""Render: Jinja in content and templates becomes finished Markdown and HTML before the site generator sees it."""

from __future__ import annotations

import hashlib
import html
import re
import shutil
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from builder import release
from builder.cache import digest
from builder.pages import (
    acceptance,
    amounts,
    drawing,
    exercises,
    families,
    glossary,
    menu,
    numbers,
    offers,
    prose,
    reviews,
    tried,
)
from builder.pages.glossary import Glossary
from builder.pages.machine import Whole
from builder.pages.rows import cabling, failure_rates
from builder.pages.view import View
from builder.paths import CONTENT, TEMPLATES
from builder.template_cache import TemplateCache
from calculators import facts
from calculators.answers import input_state
from calculators.answers.links import link
from calculators.catalog import CALCULATORS, SUBJECTS
from calculators.declare import InputError
from calculators.page.machine import MACHINES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from builder.cache import Cache
    from calculators.declare import Calculator


_DRAWING = {
    "linear": drawing.linear,
    "logarithmic": drawing.logarithmic,
    "curve": drawing.curve,
    "band": drawing.band,
}


_NUMBERS = {
    "tables": numbers.tables(),
    "title": numbers.title,
    "marks": numbers.marks,
    "kinds": facts.KINDS,
    "readings": numbers.readings(),
    "opened": numbers.opened(),
}

_PREFORMATTED = re.compile(r"<pre\b.*?</pre>", re.DOTALL)


class ContentError(Exception):
    """A page uses something that does not exist. Names the page."""


_WRONG = (
    facts.FactError,
    InputError,
    ContentError,
    amounts.AmountError,
    exercises.ExerciseError,
    prose.NakedQuantityError,
    jinja2.TemplateError,
)


@dataclass(frozen=True)
class Page:
    """A page as finished Markdown, the facts it uses, the terms it links to and its placeholders."""

    text: str
    facts: tuple[str, ...]
    terms: tuple[str, ...]
    html: Mapping[str, str]


class Renderer:
    """Renders every page of content/ into a folder of finished Markdown."""

    def __init__(self, target: Path, cache: Cache) -> None:
        """Prepare to write into the folder `target`."""
        self.target = target
        self.cache = cache
        self.used: dict[str, set[str]] = {}
        self.html: dict[str, str] = {}
        self.glossary = Glossary()
        loader = jinja2.FileSystemLoader([TEMPLATES, CONTENT])
        options: dict[str, Any] = {"loader": loader, "undefined": jinja2.StrictUndefined, "trim_blocks": True}
        # Without autoescape, because pages are Markdown, all of it ours.
        self.pages = jinja2.Environment(autoescape=False, bytecode_cache=TemplateCache(cache, "pages"), **options)  # noqa: S701
        self.parts = jinja2.Environment(autoescape=True, bytecode_cache=TemplateCache(cache, "parts"), **options)
        self.parts.filters["families"] = families.families

    @cached_property
    def views(self) -> dict[str, View]:
        """Every calculator with its default answer."""
        get = self.cache.get
        return {name: get(("view", name), partial(View, each)) for name, each in CALCULATORS.items()}

    def render(self) -> list[str]:
        """Write every page; return the names of those written."""
        for page in menu.pages():
            if not (CONTENT / page).exists():
                message = f"content/{page} is missing: every calculator of the catalog has a page"
                raise ContentError(message)
        written = []
        # The glossary lists the pages that use its terms, so it is rendered last.
        for path in sorted(CONTENT.rglob("*"), key=lambda path: (path == CONTENT / glossary.PAGE, path)):
            place = self.target / path.relative_to(CONTENT)
            if path.is_dir() or path.suffix == ".toml":
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".md":
                place.write_text(self.page(path), "utf-8")
                written.append(place.name)
            else:
                shutil.copy(path, place)
        for name, content in (
            (failure_rates.FILE, failure_rates.table),
            (cabling.FILE, cabling.table),
            (acceptance.FILE, acceptance.file),
        ):
            (self.target / name).parent.mkdir(parents=True, exist_ok=True)
            (self.target / name).write_text(content(), "utf-8")
        # They list where facts are used, so they come after all others, which name what they use.
        for table in numbers.tables():
            (self.target / numbers.page(table)).write_text(self._numbers_of(table), "utf-8")
            written.append(numbers.page(table))
        for view in self.views.values():
            if view.is_record_long:
                record = menu.record(view.calculator)
                (self.target / record).parent.mkdir(exist_ok=True)
                (self.target / record).write_text(self._record(view), "utf-8")
                written.append(record)
        return written

    def page(self, path: Path) -> str:
        """One page as finished Markdown."""
        name = path.relative_to(CONTENT).as_posix()
        source = path.read_text("utf-8")
        if name == glossary.PAGE:  # it lists where all others use its terms
            return self._rendered(name, source)
        page = self.cache.get(("page", name, source, self._dependencies), partial(self._one, name, source))
        for record in page.facts:
            self.used.setdefault(record, set()).add(name)
        for key in page.terms:
            self.glossary.note(key, name)
        self.html |= page.html
        return page.text

    @cached_property
    def _dependencies(self) -> tuple[object, ...]:
        """Inputs of every page besides its own text that may change while a process builds."""
        ways = (menu.told_in(which) for which in CALCULATORS)
        return digest(TEMPLATES), tuple(menu.chapters()), tuple(map(tuple, ways)), repr(self.glossary.terms)

    def _one(self, name: str, source: str) -> Page:
        """One page, and what it uses."""
        before = self.used, self.glossary.used, self.html
        self.used, self.glossary.used, self.html = {}, {}, {}
        try:
            return Page(self._rendered(name, source), tuple(self.used), tuple(self.glossary.used), self.html)
        finally:
            self.used, self.glossary.used, self.html = before

    def _rendered(self, name: str, source: str) -> str:
        try:
            prose.check(source)
            return self.pages.get_template(name).render(self._words(name, root=menu.root(name)))
        except _WRONG as error:
            message = f"content/{name}: {error}"
            raise ContentError(message) from error

    def _words(self, name: str, root: str) -> dict[str, Any]:
        """Functions that a page may call; README says how to use each."""

        def part(template: str, **more: Any) -> str:
            return self._part(template, root=root, **more)

        def open_calculator(which: str, text: str, **given: Any) -> str:
            place = f"{root}{menu.address(self._calculator(name, which).name)}"
            state = html.escape(self._state(which, **given))
            return f'<a class="to-calculator" href="{place}#{state}">{text}</a>'

        def figure(which: str, caption: str) -> str:
            drawn = part(f"figures/{which}.svg.j2", **self._amounts(name), **_DRAWING)
            words = self.pages.from_string(caption).render()
            wide = f'<wide-figure role="group" aria-label="{which.replace("-", " ")}">\n{drawn}\n</wide-figure>'
            return f'<figure class="drawn" id="figure-{which}">\n{wide}\n<figcaption>{words}</figcaption>\n</figure>'

        def term(key: str, text: str = "") -> str:
            if key not in self.glossary.terms:
                message = f"no term {key!r} in content/glossary.toml"
                raise ContentError(message)
            return self.glossary.link(key, text, name, root)

        return {
            **self._amounts(name),
            "root": root,
            "fact": lambda key: self._fact(name, key),
            "bare": lambda key: self._noted(name, key).text,
            "mark": lambda key: self._mark(name, self._noted(name, key)),
            "result": self._result,
            "illustrative": str,
            "reproduced": lambda which, named, within: self._view(name, which).reproduced(named, within),
            "question": lambda which: self._calculator(name, which).question,
            "calculator": lambda which: self._placeholder(
                part(
                    "calculator/page.html.j2",
                    view=self._view(name, which),
                    near=self._near(which),
                    told_in=menu.told_in(which),
                    machine=menu.machine_of(CALCULATORS[which]),
                    whole_record=menu.url(menu.record(CALCULATORS[which])),
                    version=release.version(),
                )
            ),
            "machine": lambda which: self._placeholder(
                part("machine/page.html.j2", **self._machine(name, which), version=release.version())
            ),
            "card": lambda which, **given: part("calculator/card.html.j2", view=self._view(name, which, given)),
            "machine_card": lambda: part("machine/card.html.j2", view=self._machine(name, "machine")["view"]),
            "tried": lambda named: part(
                "pages/tried.html.j2",
                counts=tried.counts([*self.views.values(), self._machine(name, "machine")["view"]]),
                run=tried.run(self._machine(name, "machine")["view"], named),
            ),
            "ways": lambda **more: part("calculator/ways.html.j2", subjects=self._subjects(), **more),
            "chapters": menu.chapters,
            "calculator_count": menu.spelled(len(CALCULATORS)),
            "open_calculator": open_calculator,
            "exercise": exercises.Exercises(opened=open_calculator).one,
            "figure": figure,
            "term": term,
            "glossary": self.glossary,
            "acceptance": lambda which, **given: part("pages/acceptance.html.j2", kit=acceptance.kit(which, **given)),
            "review": lambda which, title, notes, considered, **given: part(
                "pages/review.html.j2",
                record=reviews.record(which, title, notes, considered, given),
                which=which,
                state=self._state(which, **given),
            ),
            "numbers": lambda: part("pages/numbers.html.j2", **_NUMBERS),
            "records": lambda: part("pages/records.html.j2"),
            "own_facts": lambda: part("pages/own-facts.html.j2"),
            "offers": lambda: self._placeholder(part("pages/offers.html.j2", sheet=offers.sheet())),
        }

    def _subjects(self) -> list[tuple[str, list[View]]]:
        """The subjects that have calculators."""
        found = ((subject.title, [self.views[each.name] for each in subject.calculators]) for subject in SUBJECTS)
        return [(title, views) for title, views in found if views]

    def _near(self, which: str) -> list[View]:
        """The calculators that one's page leads on to."""
        return [self.views[each.name] for each in menu.neighbors(CALCULATORS[which])]

    def _numbers_of(self, table: str) -> str:
        """The page of one facts file."""
        about = {"table": table, "records": numbers.tables()[table], "title": numbers.title, "root": "../../"}
        content = self._part("pages/numbers-of.html.j2", used=self._uses, side_text=numbers.side_text, **about)
        return self.pages.get_template("pages/numbers-of.md.j2").render(content=content, **about)

    def _record(self, view: View) -> str:
        """The page of all published figures of a calculator."""
        content = self._placeholder(self._part("pages/published.html.j2", view=view))
        about = {"view": view, "slug": menu.slug(view.calculator)}
        return self.pages.get_template("pages/published.md.j2").render(content=content, **about)

    def _placeholder(self, whole: str) -> str:
        """A placeholder for finished HTML, which Markdown would read twice; the plugin puts the HTML into its place."""
        mark = f'<div id="html-{hashlib.sha256(whole.encode()).hexdigest()[:16]}"></div>'
        self.html[mark] = whole
        return mark

    def _part(self, template: str, **context: Any) -> str:
        rendered = self.parts.get_template(template).render(**context)
        # Without blank lines: Markdown would take what follows one for text.
        # Text in <pre> keeps its lines and their indentation, as one line of the page's source.
        whole = _PREFORMATTED.sub(lambda found: found[0].replace("\n", "&#10;"), rendered)
        return "\n".join(line.strip() for line in whole.splitlines() if line.strip())

    def _view(self, page: str, which: str, given: Mapping[str, Any] | None = None) -> View:
        if which not in self.views:
            message = f"content/{page}: no calculator {which!r}; there are {', '.join(self.views)}"
            raise ContentError(message)
        view = View(CALCULATORS[which], amounts.typed(given)) if given else self.views[which]
        self._note(page, view)
        return view

    def _calculator(self, page: str, which: str) -> Calculator:
        """A calculator or machine by its name."""
        return MACHINES[which]() if which in MACHINES else self._view(page, which).calculator

    def _machine(self, page: str, which: str) -> dict[str, Any]:
        """Contents of a system's page."""
        shown = self.cache.get(("machine", which), partial(Whole, which))
        self._note(page, shown.view)
        return {"whole": shown, "view": shown.view, "address": menu.address}

    def _note(self, page: str, view: View) -> None:
        """Note which facts a calculator's page uses."""
        for declared in view.calculator.inputs.values():
            found = view.fact(declared)
            if found:
                self.used.setdefault(found.key.partition(".")[0], set()).add(page)

    def _amounts(self, page: str) -> dict[str, Any]:
        """The words that give numbers: none of them has any arithmetic."""
        return {
            "value": lambda key: amounts.of_fact(self._noted(page, key)),
            "number": lambda which, name, **given: amounts.of_result(which, name, given),
            "computed": lambda module, **given: amounts.computed(module, given),
            "quantity": amounts.read,
            "failure_rates": lambda counted: self._rows(page, *failure_rates.with_keys(counted)),
            "failure_band": failure_rates.band,
            "failure_lines": failure_rates.lines,
            "cabling": lambda: self._rows(page, cabling, cabling.KEYS),
        }

    def _rows(self, page: str, rows: Any, keys: Iterable[str]) -> Any:
        """Rows of a table or a drawing, with a note that this page uses the facts they rest on."""
        for key in keys:
            self._noted(page, key)
        return rows

    def _fact(self, page: str, key: str) -> str:
        """A fact in prose: its text, and a mark that leads to its record and says where and how it was read."""
        found = self._noted(page, key)
        # The mark stays with its number, and the number with its unit.
        return found.text.replace(" ", "\N{NO-BREAK SPACE}") + "\N{WORD JOINER}" + self._mark(page, found)

    @staticmethod
    def _mark(page: str, found: facts.Fact) -> str:
        """The mark of a fact: it leads to the record and says where and how it was read."""
        record = numbers.record_of(found.key)
        source = found.source.title if found.source else found.kind
        spread = f"; {found.spread_text}" if found.spread_text else ""
        read = f"; {found.reading}" if found.reading else ""
        checked = "; not checked" if found.unchecked else ""
        title = f"{source}{spread}{read}{checked}".replace('"', "'").replace("|", "/")
        up = "../" * page.count("/")
        sign = "°" if found.at_first_hand or found.source is None else "†"
        return f'[{sign}]({up}{numbers.page(record.table)}#{record.key}){{ .cite title="{title}" }}'

    def _noted(self, page: str, key: str) -> facts.Fact:
        """A fact, with a note that this page uses it."""
        found = facts.fact(key)
        self.used.setdefault(numbers.record_of(key).key, set()).add(page)
        return found

    @staticmethod
    def _result(which: str, name: str, **given: Any) -> str:
        """A calculated number in prose."""
        return Markup.escape(amounts.of_result(which, name, given).text)

    @staticmethod
    def _state(which: str, **given: Any) -> str:
        """The fragment of a link to a calculator in this state."""
        if which in MACHINES:
            return amounts.state_of_machine(which, tuple(sorted(amounts.typed(given).items())))
        calculator = CALCULATORS[which]
        return link(calculator, input_state.valid_inputs(calculator, amounts.typed(given)))

    def _uses(self, record: str) -> list[tuple[str, str]]:
        """The pages that use a record: their addresses from the root of the site, and what to call them."""
        places = map(menu.url, sorted(self.used.get(record, ())))
        return [(place, place.rstrip("/").replace("-", " ") or "home") for place in places]
