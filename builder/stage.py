"""Stage: Jinja in content and templates becomes finished Markdown and HTML, before the site generator sees any of it."""

from __future__ import annotations

import datetime
import shutil
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from builder.view import View
from calculators import facts, resolve
from calculators.answer import evaluated
from calculators.catalog import CALCULATORS
from calculators.declare import InputError
from calculators.links import link

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"
TEMPLATES = ROOT / "templates"


class ContentError(Exception):
    """A page asks for something that does not exist. Names the page."""


class Stage:
    """Renders every page of content/ into a folder of finished Markdown."""

    def __init__(self, target: Path) -> None:
        """Prepare to write into `target`, which is emptied."""
        self.target = target
        self.used: dict[str, set[str]] = {}
        loader = jinja2.FileSystemLoader([TEMPLATES, CONTENT])
        options: dict[str, Any] = {"loader": loader, "undefined": jinja2.StrictUndefined, "trim_blocks": True}
        self.pages = jinja2.Environment(autoescape=False, **options)  # noqa: S701  Markdown, all of it ours
        self.parts = jinja2.Environment(autoescape=True, **options)

    @cached_property
    def views(self) -> dict[str, View]:
        """Every calculator with its default answer."""
        return {name: View(calculator) for name, calculator in CALCULATORS.items()}

    def render(self) -> list[str]:
        """Write every page; return the names of those written."""
        shutil.rmtree(self.target, ignore_errors=True)
        written = []
        # Pages that list where facts are used come last, once all others have said what they use.
        for path in sorted(CONTENT.rglob("*"), key=lambda path: (path.stem == "numbers", path)):
            place = self.target / path.relative_to(CONTENT)
            if path.is_dir() or path.suffix == ".toml":
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".md":
                place.write_text(self.page(path), "utf-8")
                written.append(place.name)
            else:
                shutil.copy(path, place)
        return written

    def page(self, path: Path) -> str:
        """One page as finished Markdown."""
        name = path.relative_to(CONTENT).as_posix()
        folders = 0 if name == "index.md" else name.count("/") + (path.stem != "index")
        root = "../" * folders or "./"
        context = {
            "root": root,
            "fact": lambda key: self._fact(name, key),
            "result": self._result,
            "state": self._state,
            "calculator": lambda which: self._part("calculator/page.html.j2", view=self._view(name, which), root=root),
            "card": lambda which: self._part("calculator/card.html.j2", view=self._view(name, which), root=root),
            "numbers": lambda: self._part("pages/numbers.html.j2", tables=self._tables(), used=self._uses, root=root),
            "today": datetime.datetime.now(datetime.UTC).date(),
        }
        try:
            return self.pages.get_template(name).render(context)
        except (facts.FactError, InputError, jinja2.TemplateError) as error:
            message = f"content/{name}: {error}"
            raise ContentError(message) from error

    def _part(self, template: str, **context: Any) -> str:
        rendered = self.parts.get_template(template).render(**context)
        # Without blank lines: Markdown would take what follows one for text.
        return "\n".join(line.strip() for line in rendered.splitlines() if line.strip())

    def _view(self, page: str, which: str) -> View:
        if which not in self.views:
            message = f"content/{page}: no calculator {which!r}; there are {', '.join(self.views)}"
            raise ContentError(message)
        view = self.views[which]
        for declared in view.calculator.inputs.values():
            found = view.fact(declared)
            if found:
                self.used.setdefault(found.key.partition(".")[0], set()).add(page)
        return view

    def _fact(self, page: str, key: str) -> str:
        """A fact in prose: its text, and a mark that leads to its record and says where it comes from."""
        found = facts.fact(key)
        record = key if key in facts.all_records() else key.rpartition(".")[0]
        self.used.setdefault(record, set()).add(page)
        source = found.source.title if found.source else found.kind
        hedge = f"; {found.spread_text}" if found.spread_text else ""
        checked = "; not checked" if found.unchecked else ""
        title = f"{source}{hedge}{checked}".replace('"', "'").replace("|", "/")
        up = "../" * page.count("/")
        return f'{found.text}[°]({up}numbers.md#{record}){{ .cite title="{title}" }}'

    @staticmethod
    def _result(which: str, name: str, **given: Any) -> str:
        """A calculated number in prose."""
        calculator = CALCULATORS[which]
        values = evaluated(calculator, resolve.settled(calculator, given))
        return Markup.escape(calculator.text(name, values[name]))

    @staticmethod
    def _state(which: str, **given: Any) -> str:
        """The fragment of a link to a calculator in this state."""
        calculator = CALCULATORS[which]
        return link(calculator, resolve.settled(calculator, given))

    def _uses(self, record: str) -> list[str]:
        return sorted(self.used.get(record, ()))

    @staticmethod
    def _tables() -> dict[str, list[facts.Record]]:
        tables: dict[str, list[facts.Record]] = {}
        for record in facts.all_records().values():
            tables.setdefault(record.table, []).append(record)
        return tables
