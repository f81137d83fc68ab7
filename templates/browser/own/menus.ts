/** On a calculator's page: the reader's own records in its menus, and a line that says that own facts are in use. */

import type { Engine } from "../engine/engine";
import type { OwnFacts } from "../messages";
import { ownFacts } from "./storage";

const TITLE = "Yours";

/** Ask for them, before anything else is asked for this calculator. */
export async function addOwnRecords(root: HTMLElement, engine: Engine): Promise<void> {
  if (ownFacts() === "") return;
  const answer = await engine.ask({}, { asks: ["own"], calculator: root.dataset["calculator"] ?? "" });
  if (!answer?.own || !root.isConnected) return;
  for (const [preset, records] of Object.entries(answer.own.menus)) {
    const menu = root.querySelector<HTMLSelectElement>(`select[data-preset="${preset}"]`);
    if (menu) addRecords(menu, records);
  }
  const note = root.querySelector<HTMLElement>("[data-own-note]");
  if (note) say(note, answer.own);
}

/** Whether the reader wants links to contain the numbers of own facts. */
export function sharesOwnFacts(root: HTMLElement): boolean {
  return root.querySelector<HTMLInputElement>("[data-own-link]")?.checked ?? false;
}

function addRecords(menu: HTMLSelectElement, records: Readonly<Record<string, string>>): void {
  const group = document.createElement("optgroup");
  group.label = TITLE;
  const known = new Map([...menu.options].map((option) => [option.value, option]));
  for (const [key, name] of Object.entries(records)) {
    const there = known.get(key);
    if (there) there.text = name;
    else group.append(new Option(name, key));
  }
  if (group.childElementCount > 0) menu.append(group);
}

function say(note: HTMLElement, { named, problems }: OwnFacts): void {
  const link = note.querySelector("a");
  const wrong = problems.length === 0 ? "" : `, ${counted(problems.length, "problem")}`;
  if (link) link.textContent = `Your own facts are in use: ${counted(named.length, "entry", "entries")}${wrong}`;
  note.hidden = false;
}

function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
