/** On a page of the previous release: a notice that a new one is there, and no mixing of the two. */

import type { Engine } from "../engine/engine";

let isShown = false;

export function showUpdate(): void {
  if (isShown) return;
  isShown = true;
  reloadOnNavigation();
  const notice = document.createElement("div");
  notice.className = "update";
  notice.setAttribute("role", "status");
  document.querySelector("[data-md-component=skip]")?.after(notice);
  if (!notice.isConnected) document.body.prepend(notice);
  const text = document.createElement("p");
  text.append("A new version is ready. ", button("Reload", reload), " to use it.");
  const close = button("Later", () => notice.remove());
  requestAnimationFrame(() => notice.append(text, close)); // announced only when it changes an existing element
}

/** The address must hold what is set before it is loaded again; at "pagehide" it is too late for that. */
function reload(): void {
  window.dispatchEvent(new Event("leave"));
  location.reload();
}

/**
 * When the engine cannot start because a release replaced its files on the server: say that instead. `script` is the
 * address of this page's script, whose name changes with each release.
 */
export function explainReplaced(engine: Engine, script: string): void {
  engine.addEventListener("change", () => {
    if (engine.state === "failed" && !isShown) void isReplaced(script).then((replaced) => replaced && say(engine));
  });
}

function say(engine: Engine): void {
  if (isShown) return;
  showUpdate();
  engine.explain("A newer version of this site has replaced its files: reload the page. What you set is kept.");
}

async function isReplaced(script: string): Promise<boolean> {
  try {
    const response = await fetch(location.href.split("#", 1)[0]!, { cache: "no-store" });
    const page = response.ok ? await response.text() : "";
    return page.includes("/start-") && !page.includes(script.slice(script.lastIndexOf("/") + 1));
  } catch {
    return false; // offline
  }
}

function button(label: string, act: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.addEventListener("click", act);
  return element;
}

/** Instant navigation would put pages of the new release under the script of the old one. */
function reloadOnNavigation(): void {
  const page = (): string => location.origin + location.pathname;
  const here = page();
  window.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (link && link.origin === location.origin && link.origin + link.pathname !== page()) event.stopPropagation();
    },
    { capture: true },
  );
  window.addEventListener(
    "popstate",
    (event) => {
      if (page() === here) return;
      event.stopImmediatePropagation();
      location.reload();
    },
    { capture: true },
  );
}
