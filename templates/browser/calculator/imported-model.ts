/** A model's configuration file that the reader pastes or drops instead of choosing from the menu; it stays on this page. */

import type { Answer, Texts } from "../messages";
import { byAttribute, rows, show, write, writeList } from "./dom";

const LONGEST = 20_000_001; // one more than the reader takes, so that it says so

export class ImportedModel {
  private readonly section: HTMLElement | null;
  private readonly box: HTMLTextAreaElement | null;

  constructor(root: HTMLElement) {
    this.section = root.querySelector<HTMLElement>("[data-imported]");
    this.box = root.querySelector<HTMLTextAreaElement>("[data-imported-text]");
  }

  /** The pasted or dropped text. */
  get text(): string {
    return this.box?.value ?? "";
  }

  /** Call `given` whenever the text changes, be it typed, pasted or dropped as a file. */
  listen(given: () => void, signal: AbortSignal): void {
    const { box, section } = this;
    if (!box || !section) return;
    box.addEventListener("input", given, { signal });
    section.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    const dropped = async (event: DragEvent): Promise<void> => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault(); // the browser would leave the page to show the file
      box.value = await file.slice(0, LONGEST).text();
      given();
    };
    section.addEventListener("drop", (event) => void dropped(event), { signal });
  }

  /** Show what was read; returns the inputs it sets, if it was understood. */
  show({ imported }: Answer): Texts | undefined {
    if (!imported || !this.section) return undefined;
    this.setText("[data-imported-problem]", imported.problem);
    this.setText("[data-imported-sentence]", imported.sentence);
    this.setText("[data-imported-strip]", imported.strip);
    show(this.part("[data-imported-result]"), imported.sentence !== "");
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

  private setText(selector: string, text: string): void {
    const element = this.part(selector);
    if (!element) return;
    write(element, text);
    show(element, text !== "");
  }

  private part(selector: string): HTMLElement | null {
    return this.section?.querySelector<HTMLElement>(selector) ?? null;
  }
}
