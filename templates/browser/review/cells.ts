/** Cells of a heat map: each is a button that takes over its state; the arrow keys move between them. */

import type { CellOption } from "../messages";
import { button, element } from "./elements";

const STEPS: Readonly<Record<string, readonly [down: number, across: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** A cell with its level, result and sign; without a state to take over, only its text. */
export function optionCell({ level, title, changes }: CellOption, text: string, is: string, used: () => void): HTMLElement {
  const cell = element("td", { class: `map-cell${is}`, "data-level": level, title, ...(is && { "aria-current": "true" }) });
  const isUsable = Object.keys(changes).length > 0;
  cell.append(isUsable ? button(text, used, { "aria-label": `${text}: ${title}. Use these values` }) : text);
  return cell;
}

/** The button of the cell with this title: the same cell of a map that has more of them by now. */
export function mapCell(tables: Element, title: string | undefined): HTMLElement | null | undefined {
  return [...tables.querySelectorAll<HTMLElement>(".map-cell")].find((cell) => cell.title === title)?.querySelector("button");
}

/** Move the focus from one cell to the next one with a button. */
export function moveByArrows(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const cell = event.target instanceof Element ? event.target.closest<HTMLTableCellElement>(".map-cell") : null;
  if (!step || !cell) return;
  event.preventDefault();
  const row = cell.parentElement as HTMLTableRowElement;
  const next = (row.parentElement as HTMLTableSectionElement).rows[row.sectionRowIndex + step[0]]?.cells[cell.cellIndex + step[1]];
  next?.querySelector("button")?.focus();
}
