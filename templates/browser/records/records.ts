/** The page of records: the one being written, and those saved in this browser. */

import type { Engine } from "../engine/engine";
import { copied } from "../calculator/actions";
import { Draft } from "./draft";
import { save } from "./files";
import { NEW_RECORD } from "./link";
import type { Redrawn } from "./record-view";
import * as storage from "./storage";
import type { StoredRecord } from "./storage";

const SAVED = /^#kept=(.+)$/;

export function mount(root: HTMLElement, engine: Engine, signal: AbortSignal, redrawn: Redrawn): void {
  const draft = new Draft(root.querySelector<HTMLElement>("[data-draft]")!, engine, redrawn, signal);
  const list = new List(root, draft);
  const read = (): void => {
    const [started, opened] = [NEW_RECORD.exec(location.hash), SAVED.exec(location.hash)];
    const found = opened && storage.all().find(({ id }) => id === decodeURIComponent(opened[1] ?? ""));
    if (started) draft.begin(started[1] ?? "", location.hash.slice(started[0].length));
    else if (found) draft.open(found);
    else draft.close();
    list.show();
  };
  const clicked = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest<HTMLElement>("button[data-do]") : null;
    if (button) void list.act(button.dataset["do"] ?? "", button.dataset["of"] ?? "");
  };
  root.addEventListener("click", clicked, { signal });
  root.querySelector<HTMLInputElement>("input[type=file]")?.addEventListener("change", (event) => void list.import(event), { signal });
  window.addEventListener("hashchange", read, { signal });
  window.addEventListener("storage", () => list.show(), { signal }); // another window saved one
  read();
}

class List {
  private readonly list: HTMLElement;
  private readonly none: HTMLElement;
  private readonly message: HTMLElement;
  private readonly seen: HTMLElement; // the same next to the buttons of the record
  private removed: StoredRecord | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly draft: Draft,
  ) {
    this.list = root.querySelector<HTMLElement>("[data-list]")!;
    this.none = root.querySelector<HTMLElement>("[data-none]")!;
    this.message = root.querySelector<HTMLElement>("[data-message]")!;
    this.seen = root.querySelector<HTMLElement>("[data-message-seen]")!;
  }

  show(): void {
    const all = storage.all();
    this.none.hidden = all.length > 0;
    const pattern = this.root.querySelector<HTMLTemplateElement>("template[data-saved]")?.content.firstElementChild;
    if (!pattern) return;
    const rows = all.map(({ id, record }) => {
      const row = document.importNode(pattern, true) as HTMLElement;
      const anchor = row.querySelector("a")!;
      anchor.textContent = record.title;
      anchor.setAttribute("href", `#kept=${encodeURIComponent(id)}`); // relative: the element is not on the page yet
      row.querySelector("[data-about]")!.textContent = [record.calculator, record.day, record.version].filter(Boolean).join(", ");
      for (const button of row.querySelectorAll<HTMLElement>("button")) {
        button.dataset["of"] = id;
        button.setAttribute("aria-label", `${button.textContent ?? ""}: ${record.title}`);
      }
      return row;
    });
    this.list.replaceChildren(...rows);
  }

  async act(action: string, id: string): Promise<void> {
    if (action === "keep") await this.save();
    else if (action === "print") await this.draft.print();
    else if (action === "link") await this.copyLink();
    else if (action === "export") save("records.json", storage.exported());
    else if (action === "import") this.root.querySelector<HTMLInputElement>("input[type=file]")?.click();
    else if (action === "delete") this.remove(id);
    else if (action === "restore") this.restore();
    else await this.draft.file(action);
  }

  /** Import the records of a file that the reader chose. */
  async import({ target }: Event): Promise<void> {
    const input = target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    try {
      const count = storage.importFrom(await file.text());
      this.setMessage(count === 1 ? "1 record imported." : `${count} records imported.`);
    } catch {
      this.setMessage(`“${file.name}” is not a file of records from “Export all”.`);
    }
    this.show();
  }

  private async save(): Promise<void> {
    const one = await this.draft.stored();
    if (!one) return this.setMessage("There is no record to save yet.");
    try {
      storage.put(one);
      this.setMessage("Saved in this browser.");
    } catch {
      this.setMessage("The browser’s storage is full: export the records, then delete some.");
    }
    this.show();
  }

  private async copyLink(): Promise<void> {
    const isCopied = await copied(this.draft.link);
    this.setMessage(isCopied ? "Link copied. It contains title, notes and alternatives." : "The browser blocked copying to the clipboard.");
  }

  private remove(id: string): void {
    this.removed = storage.all().find((one) => one.id === id);
    storage.remove(id);
    this.show();
    this.setMessage("Deleted.");
    this.root.querySelector<HTMLElement>("button[data-do=restore]")!.hidden = false;
  }

  private restore(): void {
    if (this.removed) storage.put(this.removed);
    this.removed = undefined;
    this.setMessage("Restored.");
    this.show();
  }

  private setMessage(text: string): void {
    this.message.textContent = text;
    this.seen.textContent = text;
    this.root.querySelector<HTMLElement>("button[data-do=restore]")!.hidden = true;
  }
}
