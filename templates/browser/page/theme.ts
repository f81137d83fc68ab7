/** Loads Material's own script (menus, search, instant navigation), which the HTML only names. */

import { program, trustTheme } from "./trusted";

/** Run it; resolves when it ran or could not be loaded: the page works without it. */
export function runTheme(): Promise<void> {
  const named = document.querySelector<HTMLLinkElement>("link#theme-script");
  return new Promise((done) => {
    if (!named) return done();
    for (const sheet of document.head.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")) settle(sheet);
    const script = document.createElement("script");
    trustTheme();
    script.src = program(named.href);
    script.addEventListener("load", () => done());
    script.addEventListener("error", () => done());
    document.body.append(script);
  });
}

/**
 * Make a style sheet's address appear absolute, as Material's script makes all addresses so that instant navigation
 * recognizes them on every page. Writing it would make browsers load the sheet and draw the whole page again.
 */
function settle(sheet: HTMLLinkElement): void {
  const absolute = sheet.cloneNode() as HTMLLinkElement;
  absolute.href = sheet.href;
  const { href, outerHTML } = absolute;
  const stays = (): void => undefined;
  Object.defineProperties(sheet, { href: { get: () => href, set: stays }, outerHTML: { get: () => outerHTML } });
}
