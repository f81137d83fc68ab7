/**
 * Ctrl-K, or ⌘K, opens the finder; so does a button that says so. In a long menu a letter opens it for the options of
 * that menu, as does the button next to it. Its script is loaded when it is first opened.
 */

import { reportMissing } from "../page/missing";

interface Module {
  open(typed: string): void;
  choose(menu: HTMLSelectElement, typed: string): void;
}

/** Options from which on a menu is searched instead of read. */
export const LONG_MENU = 20;

/** `script` is the address of the finder's module. */
export function findByKeys(script: string): void {
  const load = (typed: string, opened: (finder: Module, typed: string) => void): void => {
    const loaded = new AbortController();
    // Until the dialog is there, letters are for it and not for the page's own keys.
    const collect = (event: KeyboardEvent): void => {
      if (isCommand(event) || (event.key.length > 1 && event.key !== "Enter")) return;
      if (event.key.length === 1) typed += event.key;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener("keydown", collect, { capture: true, signal: loaded.signal });
    void (import(script) as Promise<Module>)
      .then(
        (finder) => opened(finder, typed),
        () => reportMissing(document.querySelector("article") ?? document.body),
      )
      .finally(() => loaded.abort());
  };
  const open = (): void => load("", (finder, typed) => finder.open(typed));
  const choose = (menu: HTMLSelectElement, letter: string): void => load(letter, (finder, typed) => finder.choose(menu, typed));
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isAsked = key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const menu = target instanceof HTMLSelectElement && target.options.length >= LONG_MENU ? target : undefined;
    const isLetter = key.length === 1 && key !== " " && !isCommand(event);
    if (!isAsked && !(menu && isLetter)) return;
    event.preventDefault();
    if (menu && isLetter) choose(menu, key);
    else open();
  });
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const menu = target.closest("[data-find-option]")?.parentElement?.querySelector("select");
    if (menu) choose(menu, "");
    else if (target.closest("[data-find]")) open();
  });
}

function isCommand(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}
