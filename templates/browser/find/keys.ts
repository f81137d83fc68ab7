/** Ctrl-K, or ⌘K, opens the finder; so does a button that says so. Its script is loaded when it is first opened. */

import { reportMissing } from "../page/missing";

interface Module {
  open(typed: string): void;
}

/** `script` is the address of the finder's module. */
export function findByKeys(script: string): void {
  const open = (): void => {
    const loaded = new AbortController();
    let typed = "";
    // Until the dialog is there, letters are for it and not for the page's own keys.
    const collect = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.key.length > 1 && event.key !== "Enter")) return;
      if (event.key.length === 1) typed += event.key;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener("keydown", collect, { capture: true, signal: loaded.signal });
    void (import(script) as Promise<Module>)
      .then(
        (finder) => finder.open(typed),
        () => reportMissing(document.querySelector("article") ?? document.body),
      )
      .finally(() => loaded.abort());
  };
  document.addEventListener("keydown", (event) => {
    const isAsked = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isAsked) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-find]")) open();
  });
}
