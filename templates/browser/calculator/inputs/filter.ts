/** Filters a long list of inputs by words of their labels and groups, and by whether the reader changed them. */

import { show, write } from "../answer/dom";

/** Make the filter of a system's other inputs work. */
export function filterInputs(root: HTMLElement, signal: AbortSignal): void {
  const words = root.querySelector<HTMLInputElement>("[data-filter-inputs]");
  const onlyChanged = root.querySelector<HTMLInputElement>("[data-only-changed]");
  const section = words?.closest("section");
  const found = root.querySelector("[data-filtered]");
  if (!words || !onlyChanged || !section || !found) return;
  const groups = [...section.querySelectorAll<HTMLDetailsElement>("details.group")];
  const filter = (): void => {
    const typed = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isActive = typed.length > 0 || onlyChanged.checked;
    let count = 0;
    for (const group of groups) {
      const title = group.querySelector("summary")?.textContent ?? "";
      let shown = 0;
      for (const field of group.querySelectorAll<HTMLElement>(".field")) {
        const text = `${title} ${field.querySelector("[data-label]")?.textContent ?? ""}`.toLowerCase();
        const isShown = typed.every((word) => text.includes(word)) && (!onlyChanged.checked || field.dataset["origin"] === "yours");
        show(field, isShown);
        shown += Number(isShown);
      }
      show(group, shown > 0);
      group.open = isActive && shown > 0;
      count += shown;
    }
    write(found, isActive ? `${count} inputs` : "");
  };
  for (const control of [words, onlyChanged]) {
    control.addEventListener("input", (event) => (event.stopPropagation(), filter()), { signal });
  }
}
