/** <ai-offers>: bids in columns, compared by Python on every change; the address holds the table. */

import type { Engine } from "../engine/engine";
import type { Offers } from "../messages";
import { save } from "../records/files";

type Field = HTMLInputElement | HTMLSelectElement;
const PAUSE_MS = 300; // of typing, before bids are compared
const FILE = "offers.csv";

export function mount(root: HTMLElement, engine: Engine, signal: AbortSignal): void {
  const fields = new Map([...root.querySelectorAll<Field>("[name]")].map((field) => [field.name, field]));
  const status = part(root, "[data-offers-status]");
  const bids = [...new Set([...root.querySelectorAll<HTMLElement>("[data-bid]")].map((cell) => cell.dataset["bid"] ?? ""))];
  const opened = new Set(bids.slice(0, 2));
  let csv = "";
  let notices: string[] = []; // what a link holds that this page does not know
  let asked = 0;
  let timer = 0;

  const show = (): void => {
    const unit = fields.get("compare")?.value ?? "";
    const kindOf = (bid: string): string => fields.get(`${bid}.kind`)?.value ?? "";
    for (const element of root.querySelectorAll<HTMLElement>("[data-units]")) {
      const { units = "", kind } = element.dataset;
      element.hidden = !units.split(" ").includes(unit) || (kind !== undefined && !bids.some((bid) => kindOf(bid) === kind));
    }
    for (const cell of root.querySelectorAll<HTMLElement>("[data-bid]")) {
      const bid = cell.dataset["bid"] ?? "";
      cell.hidden = kindOf(bid) === "" && !opened.has(bid);
      const kind = cell.closest<HTMLElement>("tbody")?.dataset["kind"];
      const input = cell.querySelector("input");
      if (kind !== undefined && input) input.disabled = kindOf(bid) !== kind;
    }
    part<HTMLButtonElement>(root, '[data-offers="add"]').disabled = bids.every((bid) => kindOf(bid) !== "" || opened.has(bid));
  };
  const stated = (): Record<string, string> =>
    Object.fromEntries([...fields].map(([name, { value }]) => [name, value.trim()] as const).filter(([, text]) => text !== ""));

  const compare = async (): Promise<void> => {
    const number = ++asked;
    root.dataset["stale"] = "";
    status.textContent = "Calculating";
    const answer = await engine.ask(root, { asks: ["offers"], calculator: "", given: stated() });
    if (signal.aborted || number !== asked) return;
    status.textContent = answer?.offers ? "" : (answer?.failure ?? engine.reason);
    if (answer?.offers) fill(answer.offers);
  };
  const fill = (offers: Offers): void => {
    csv = offers.csv;
    list([...notices, ...offers.problems]);
    if (offers.problems.length > 0) return;
    delete root.dataset["stale"];
    part(root, "[data-offers-sentence]").textContent = offers.sentence;
    for (const cell of root.querySelectorAll<HTMLElement>("[data-cell]")) cell.textContent = offers.cells[cell.dataset["cell"] ?? ""] ?? "";
    for (const [name, field] of fields) {
      if (field instanceof HTMLInputElement) field.placeholder = offers.cells[`${name}.assumed`] ?? "";
    }
  };
  const list = (problems: readonly string[]): void =>
    part(root, "[data-offers-problems]").replaceChildren(
      ...problems.map((text) => Object.assign(document.createElement("li"), { textContent: text })),
    );
  const changed = (): void => {
    show();
    history.replaceState(history.state, "", `#${new URLSearchParams(stated()).toString()}`);
    clearTimeout(timer);
    timer = window.setTimeout(() => void compare(), PAUSE_MS);
  };
  const clear = (): void => {
    for (const [name, field] of fields) if (name !== "compare") field.value = "";
  };
  const open = (): void => {
    const link = [...new URLSearchParams(location.hash.slice(1))].filter(([, text]) => text !== "");
    const given = link.filter(([name]) => fields.has(name));
    notices = link.filter(([name]) => !fields.has(name)).map(([name]) => `The link has “${name}”, which this page does not know.`);
    list(notices);
    if (given.length === 0) return;
    clear();
    for (const [name, text] of given) (fields.get(name) as Field).value = text;
    show();
    void compare();
  };
  const actions: Readonly<Record<string, () => void>> = {
    add: () => {
      const next = bids.find((bid) => fields.get(`${bid}.kind`)?.value === "" && !opened.has(bid));
      if (next !== undefined) opened.add(next);
      show();
    },
    clear: () => (clear(), changed()),
    csv: () => (csv === "" ? void compare().then(() => save(FILE, csv, "text/csv")) : save(FILE, csv, "text/csv")),
    print: () => print(),
  };
  for (const [name, act] of Object.entries(actions)) {
    part(root, `[data-offers="${name}"]`).addEventListener("click", act, { signal });
  }
  root.addEventListener("input", changed, { signal });
  window.addEventListener("hashchange", open, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  open();
}

function part<Found extends HTMLElement>(root: HTMLElement, selector: string): Found {
  const found = root.querySelector<Found>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}
