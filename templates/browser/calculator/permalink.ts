/** The state of the page's one calculator as the fragment of its address, and back. */

// What the theme's search puts into an address, to mark what was searched for.
const OF_THE_SEARCH = new Set(["h", "q"]);

/** The page's state if its address holds one: a fragment with "=", or one that names no place on the page. */
export function stateInAddress(): string | undefined {
  const fragment = location.hash.slice(1);
  if (fragment === "") return undefined;
  return fragment.includes("=") || !document.getElementById(decoded(fragment)) ? fragment : undefined;
}

/** Text from an address, as far as it can be read. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address with this state, whatever the page's own fragment says. */
export function addressOf(link: string): string {
  return location.href.split("#", 1)[0] + (link && `#${link}`);
}

/** What a fragment gives, as texts by the names that stand in it, before Python has read it; the first of a name. */
export function textsOf(fragment: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, text] of new URLSearchParams(fragment)) {
    const name = key.replaceAll("-", "_");
    if (!found.has(name)) found.set(name, text);
  }
  return found;
}

export class Permalink {
  private readonly page = location.pathname;

  /** A state may also stand after "?": from now on it stands in the fragment, behind what is there. */
  constructor() {
    const parts = location.search.slice(1).split("&").filter(Boolean);
    const ofState = parts.filter((part) => !OF_THE_SEARCH.has(part.split("=", 1)[0] ?? ""));
    if (ofState.length === 0) return;
    const rest = parts.filter((part) => !ofState.includes(part)).join("&");
    const fragment = [stateInAddress(), ...ofState.map((part) => part.replaceAll("+", "%20"))].filter(Boolean).join("&");
    history.replaceState(history.state, "", location.pathname + (rest && `?${rest}`) + `#${fragment}`);
  }

  /** Call `changed` when the reader edits the fragment or goes back to another one; places on the page do not count. */
  listen(changed: (fragment: string) => void, signal: AbortSignal): void {
    const read = (): void => {
      const fragment = stateInAddress();
      if (location.pathname === this.page && (fragment !== undefined || location.hash === "")) changed(fragment ?? "");
    };
    window.addEventListener("hashchange", read, { signal });
  }

  /** Let the address say this state. No navigation, no entry in the history. */
  write(link: string): void {
    const isState = stateInAddress() !== undefined;
    if (location.pathname !== this.page || (link === "" && !isState)) return;
    const address = addressOf(link);
    if (address !== location.href) history.replaceState(history.state, "", address);
  }
}
