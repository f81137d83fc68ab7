/** On a page of the previous release: a notice that a new one is there, and no mixing of the two. */

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
  text.append("A new version is ready. ", button("Reload", () => location.reload()), " to use it.");
  const close = button("Later", () => notice.remove());
  requestAnimationFrame(() => notice.append(text, close)); // announced only when it changes an existing element
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
