/** The state of the page's one calculator as the fragment of its address, and back. */

/** The page's fragment if it is a state: one with "=", or one that names no place on the page. */
export function stateInAddress(): string | undefined {
  const fragment = location.hash.slice(1);
  if (fragment === "") return undefined;
  return fragment.includes("=") || !document.getElementById(decoded(fragment)) ? fragment : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The address with this state, whatever the page's own fragment says. */
export function addressOf(link: string): string {
  return location.href.split("#", 1)[0] + (link && `#${link}`);
}

export class Permalink {
  private readonly page = location.pathname;

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
