/** The state of the page's one calculator as the fragment of its address, and back. */

// What is no state: what the theme's search adds to an address to highlight matches, and the frame of another site.
const NO_STATE = new Set(["h", "q", "embed"]);

/** The state in the page's address, if there is one: a fragment with "=", or one that names no element of the page. */
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

/** The page's address with this state as its fragment. */
export function addressOf(link: string): string {
  return location.href.split("#", 1)[0] + (link && `#${link}`);
}

/** The texts in a fragment by name, before Python has read it; the first of each name. */
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

  /** A state after "?" is moved to the fragment. */
  constructor() {
    const parts = location.search.slice(1).split("&").filter(Boolean);
    const ofState = parts.filter((part) => !NO_STATE.has(part.split("=", 1)[0] ?? ""));
    if (ofState.length === 0) return;
    const rest = parts.filter((part) => !ofState.includes(part)).join("&");
    const fragment = [stateInAddress(), ...ofState.map((part) => part.replaceAll("+", "%20"))].filter(Boolean).join("&");
    history.replaceState(history.state, "", location.pathname + (rest && `?${rest}`) + `#${fragment}`);
  }

  /** Call `changed` when the reader edits the fragment or goes back to another one; anchors do not count. */
  listen(changed: (fragment: string) => void, signal: AbortSignal): void {
    const read = (): void => {
      const fragment = stateInAddress();
      if (location.pathname === this.page && (fragment !== undefined || location.hash === "")) changed(fragment ?? "");
    };
    window.addEventListener("hashchange", read, { signal });
  }

  /** Put this state into the address, without navigation or an entry in the history. */
  write(link: string): void {
    const isState = stateInAddress() !== undefined;
    if (location.pathname !== this.page || (link === "" && !isState)) return;
    const address = addressOf(link);
    if (address !== location.href) history.replaceState(history.state, "", address);
  }
}
