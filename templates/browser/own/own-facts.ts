/** <ai-own-facts>: the page on which own facts are given, checked, saved as a file and removed. */

import type { Engine } from "../engine/engine";
import { save } from "../records/files";
import { keepOwnFacts, ownFacts } from "./storage";

const FILE = "own-facts.toml";

export function mount(root: HTMLElement, engine: Engine, signal: AbortSignal): void {
  const area = part<HTMLTextAreaElement>(root, "[data-own-text]");
  const file = part<HTMLInputElement>(root, "input[type=file]");
  const status = part(root, "[data-own-status]");
  area.value = ownFacts();

  const use = async (): Promise<void> => {
    try {
      keepOwnFacts(area.value);
    } catch {
      status.textContent = "This browser keeps nothing: its storage is full or switched off.";
      return;
    }
    engine.renew();
    list(root, "[data-own-named]", []);
    list(root, "[data-own-problems]", []);
    if (ownFacts() === "") {
      status.textContent = "Published facts alone are in use.";
      return;
    }
    status.textContent = "Reading: Python starts with these facts.";
    const own = (await engine.ask(root, { asks: ["own"], calculator: "" }))?.own;
    if (!own || signal.aborted) return;
    status.textContent = own.named.length === 0 ? "Nothing could be read." : "In use on every page:";
    list(root, "[data-own-named]", own.named);
    list(root, "[data-own-problems]", own.problems);
  };
  const actions: Readonly<Record<string, () => void>> = {
    use: () => void use(),
    open: () => file.click(),
    save: () => save(FILE, area.value),
    remove: () => ((area.value = ""), void use()),
    example: () => (area.value = document.querySelector(".own-facts-example code")?.textContent ?? ""),
  };
  for (const [name, act] of Object.entries(actions)) {
    part(root, `[data-own="${name}"]`).addEventListener("click", act, { signal });
  }
  const take = async (given: File | undefined): Promise<void> => {
    if (!given) return;
    area.value = await given.text();
    await use();
  };
  file.addEventListener("change", () => void take(file.files?.[0]), { signal });
  root.addEventListener("dragover", (event) => event.preventDefault(), { signal });
  root.addEventListener("drop", (event) => (event.preventDefault(), void take(event.dataTransfer?.files[0])), { signal });
  const failed = (): void => {
    if (engine.state === "failed" && ownFacts() !== "") status.textContent = engine.reason;
  };
  engine.addEventListener("change", failed, { signal });
  if (area.value !== "") void use();
}

function part<Found extends HTMLElement>(root: HTMLElement, selector: string): Found {
  const found = root.querySelector<Found>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

function list(root: HTMLElement, selector: string, texts: readonly string[]): void {
  const items = texts.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
  part(root, selector).replaceChildren(...items);
}
