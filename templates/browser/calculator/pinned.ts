/** What a reader pinned on a calculator's page: links, kept in the tab, and taken along by a copied link. */

export const MOST_PINS = 4;

const PINNED = "pin"; // the key in a link (calculators/answers/links.py)

/** The states pinned on a calculator's page, in the order in which they were pinned. */
export function keptPins(calculator: string): string[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(keyOf(calculator)) ?? "[]");
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === "string").slice(0, MOST_PINS) : [];
  } catch {
    return [];
  }
}

export function keepPins(calculator: string, links: readonly string[]): void {
  try {
    sessionStorage.setItem(keyOf(calculator), JSON.stringify(links));
  } catch {
    // A browser that keeps nothing: they stand until the page is left.
  }
}

/** The states that a link brings along, links themselves. */
export function pinsIn(fragment: string): string[] {
  return new URLSearchParams(fragment).getAll(PINNED).filter(Boolean).slice(0, MOST_PINS);
}

function keyOf(calculator: string): string {
  return `pins:${calculator}`;
}
