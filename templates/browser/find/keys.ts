/** Ctrl-K, or ⌘K, opens the finder; so does a button that says so. Its script is loaded when it is first opened. */

interface Module {
  open(): void;
}

/** `script` is the address of the finder's module. */
export function findByKeys(script: string): void {
  const open = (): void => void (import(script) as Promise<Module>).then((finder) => finder.open());
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
