"""Figure: one line of the report, and what the measurements of pages and of the engine have in common."""

from __future__ import annotations

from dataclasses import dataclass

ROUNDS = 5
SETTLING_MS = 500  # the tab before has gone by then
CPU_SLOWDOWN = 4
ANSWER_AFTER_FIRST_MOVE = """() => new Promise((resolve) => {
  const places = [...document.querySelectorAll("output, [data-value]")];
  const answers = () => places.map((place) => place.textContent).join("|");
  const before = answers();
  const slider = document.querySelector("input[type=range]");
  const start = performance.now();
  const observer = new MutationObserver(() => {
    if (answers() === before) return;
    observer.disconnect();
    resolve(performance.now() - start);
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  const at = slider.value;
  for (const share of [0.8, 0.6]) {
    if (slider.value === at) slider.value = Number(slider.min) + share * (slider.max - slider.min);
  }
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""


@dataclass(frozen=True)
class Figure:
    """One line of the report."""

    what: str
    value: float
    unit: str
    budget: float | None = None
    at_least: bool = False

    def __str__(self) -> str:
        """Return the line as printed."""
        if self.budget is None:
            return f"{self.what:<70} {self.value:>9.4g} {self.unit}"
        sign, kept = ("≥", self.value >= self.budget) if self.at_least else ("≤", self.value <= self.budget)
        return f"{self.what:<70} {self.value:>9.4g} {self.unit:<4} {sign} {self.budget:<6g} {'ok' if kept else 'OVER'}"
