/** A file of own facts dropped on any page: kept, and shown on the page for them. */

import { keepOwnFacts } from "./storage";

const NAMES = /\.(toml|csv)$/i;

/** `page` is the address of the page for own facts. Files dropped where a page takes them itself are left to it. */
export function takeDroppedFacts(page: string): void {
  const facts = (event: DragEvent): File | undefined =>
    [...(event.dataTransfer?.files ?? [])].find(({ name }) => NAMES.test(name));
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const file = event.defaultPrevented ? undefined : facts(event);
    if (!file) return;
    event.preventDefault();
    void file.text().then((text) => {
      keepOwnFacts(text);
      location.assign(page);
    });
  });
}
