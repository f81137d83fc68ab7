/** Pinned states of a calculator: links, stored in the tab, and carried along by a copied link. */

export const MOST_PINS = 4;

const PINNED = "pin"; // the key in a link (calculators/answers/links.py)

/** The states pinned on a calculator's page, in the order in which they were pinned. */
export function storedPins(calculator: string): string[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(keyOf(calculator)) ?? "[]");
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === "string").slice(0, MOST_PINS) : [];
  } catch {
    return [];
  }
}

export function storePins(calculator: string, links: readonly string[]): void {
  try {
    sessionStorage.setItem(keyOf(calculator), JSON.stringify(links));
  } catch {
    // Storage is full or switched off: the pins last until the reader leaves the page.
  }
}

/** The pinned states that a link carries, links themselves. */
export function pinsOfLink(fragment: string): string[] {
  return new URLSearchParams(fragment).getAll(PINNED).filter(Boolean).slice(0, MOST_PINS);
}

function keyOf(calculator: string): string {
  return `pins:${calculator}`;
}
