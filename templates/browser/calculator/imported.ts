/** A file of the reader's own in place of a menu: its text goes to the engine on this page and nowhere else. */

import type { Answer, Texts } from "../messages";
import { byAttribute, rows, show, write, writeList } from "./writing";

const LONGEST = 4_000_000;

export class Imported {
  private readonly place: HTMLElement | null;
  private readonly box: HTMLTextAreaElement | null;

  constructor(root: HTMLElement) {
    this.place = root.querySelector<HTMLElement>("[data-imported]");
    this.box = root.querySelector<HTMLTextAreaElement>("[data-imported-text]");
  }

  /** What was pasted or dropped. */
  get text(): string {
    return this.box?.value ?? "";
  }

  /** Call `given` whenever the text changes, be it typed, pasted or dropped as a file. */
  listen(given: () => void, signal: AbortSignal): void {
    const { box, place } = this;
    if (!box || !place) return;
    box.addEventListener("input", given, { signal });
    place.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    const dropped = async (event: DragEvent): Promise<void> => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault(); // or the browser would leave the page to show the file
      box.value = await file.slice(0, LONGEST).text();
      given();
    };
    place.addEventListener("drop", (event) => void dropped(event), { signal });
  }

  /** Show what was read; returns what it changes, if it was understood. */
  show({ imported }: Answer): Texts | undefined {
    if (!imported || !this.place) return undefined;
    this.say("[data-imported-problem]", imported.problem);
    this.say("[data-imported-sentence]", imported.sentence);
    this.say("[data-imported-strip]", imported.strip);
    show(this.part("[data-imported-told]"), imported.sentence !== "");
    const remarks = this.part("[data-imported-remarks]");
    if (remarks) writeList(remarks, [...imported.remarks]);
    const parts = this.part("[data-imported-parts]");
    if (parts) {
      rows(parts, imported.parts.length).forEach((row, number) => {
        for (const [name, elements] of byAttribute(row, "data-field")) {
          for (const element of elements) write(element, imported.parts[number]?.[name] ?? "");
        }
      });
    }
    return imported.sentence === "" ? undefined : imported.changes;
  }

  private say(selector: string, text: string): void {
    const element = this.part(selector);
    if (!element) return;
    write(element, text);
    show(element, text !== "");
  }

  private part(selector: string): HTMLElement | null {
    return this.place?.querySelector<HTMLElement>(selector) ?? null;
  }
}
