/** The page of records: the one that is being written, and those kept in this browser. */

import type { Engine } from "../engine/engine";
import { Draft } from "./draft";
import { save } from "./files";
import * as kept from "./kept";
import type { Kept } from "./kept";

const NEW = /^#of=(\w+)&?/;
const OLD = /^#kept=(.+)$/;

export function mount(root: HTMLElement, engine: Engine, signal: AbortSignal): void {
  const draft = new Draft(root.querySelector<HTMLElement>("[data-draft]")!, engine, signal);
  const list = new List(root, draft);
  const read = (): void => {
    const [begun, opened] = [NEW.exec(location.hash), OLD.exec(location.hash)];
    const found = opened && kept.all().find(({ id }) => id === decodeURIComponent(opened[1] ?? ""));
    if (begun) draft.begin(begun[1] ?? "", location.hash.slice(begun[0].length));
    else if (found) draft.open(found);
    else draft.close();
    list.show();
  };
  const clicked = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest<HTMLElement>("button[data-do]") : null;
    if (button) void list.does(button.dataset["do"] ?? "", button.dataset["of"] ?? "");
  };
  root.addEventListener("click", clicked, { signal });
  root.querySelector<HTMLInputElement>("input[type=file]")?.addEventListener("change", (event) => void list.take(event), { signal });
  window.addEventListener("hashchange", read, { signal });
  window.addEventListener("storage", () => list.show(), { signal }); // another window keeps one
  read();
}

class List {
  private readonly place: HTMLElement;
  private readonly none: HTMLElement;
  private readonly said: HTMLElement;
  private removed: Kept | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly draft: Draft,
  ) {
    this.place = root.querySelector<HTMLElement>("[data-list]")!;
    this.none = root.querySelector<HTMLElement>("[data-none]")!;
    this.said = root.querySelector<HTMLElement>("[data-said]")!;
  }

  show(): void {
    const all = kept.all();
    this.none.hidden = all.length > 0;
    const pattern = this.root.querySelector("template")?.content.firstElementChild;
    if (!pattern) return;
    const rows = all.map(({ id, of, record }) => {
      const row = document.importNode(pattern, true) as HTMLElement;
      const anchor = row.querySelector("a")!;
      anchor.textContent = record.title;
      anchor.setAttribute("href", `#kept=${encodeURIComponent(id)}`); // its own address is not this page's yet
      row.querySelector("[data-about]")!.textContent = [record.calculator, record.day, record.version].filter(Boolean).join(", ");
      for (const button of row.querySelectorAll<HTMLElement>("button")) {
        button.dataset["of"] = id;
        button.setAttribute("aria-label", `${button.textContent ?? ""}: ${record.title}`);
        if (button.dataset["do"] === "consider") button.hidden = this.draft.calculator !== of;
      }
      return row;
    });
    this.place.replaceChildren(...rows);
  }

  async does(what: string, id: string): Promise<void> {
    if (what === "keep") await this.keep();
    else if (what === "print") await this.draft.print();
    else if (what === "export") save("records.json", kept.exported());
    else if (what === "import") this.root.querySelector<HTMLInputElement>("input[type=file]")?.click();
    else if (what === "delete") this.remove(id);
    else if (what === "restore") this.restore();
    else if (what === "consider") this.draft.consider(kept.all().find((one) => one.id === id)?.record.link ?? "");
    else await this.draft.file(what);
  }

  /** Take over the records of a file that the reader chose. */
  async take({ target }: Event): Promise<void> {
    const input = target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    try {
      const count = kept.imported(await file.text());
      this.say(count === 1 ? "One record taken over." : `${count} records taken over.`);
    } catch {
      this.say(`“${file.name}” holds no records as “Export all” writes them.`);
    }
    this.show();
  }

  private async keep(): Promise<void> {
    const one = await this.draft.kept();
    if (!one) return this.say("There is no record to keep yet.");
    try {
      kept.keep(one);
      this.say("Kept in this browser.");
    } catch {
      this.say("The browser keeps no more: export the records and delete some.");
    }
    this.show();
  }

  private remove(id: string): void {
    this.removed = kept.all().find((one) => one.id === id);
    kept.remove(id);
    this.show();
    this.say("Deleted.");
    this.root.querySelector<HTMLElement>("button[data-do=restore]")!.hidden = false;
  }

  private restore(): void {
    if (this.removed) kept.keep(this.removed);
    this.removed = undefined;
    this.say("It is back.");
    this.show();
  }

  private say(text: string): void {
    this.said.textContent = text;
    this.root.querySelector<HTMLElement>("button[data-do=restore]")!.hidden = true;
  }
}
