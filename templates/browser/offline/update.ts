/** What happens on a page of the release before once the new one is here: a quiet notice, and no mixing of the two. */

let isShown = false;

export function showUpdate(): void {
  if (isShown) return;
  isShown = true;
  loadPagesAnew();
  const notice = document.createElement("div");
  notice.className = "update";
  notice.setAttribute("role", "status");
  document.querySelector("[data-md-component=skip]")?.after(notice);
  if (!notice.isConnected) document.body.prepend(notice);
  const text = document.createElement("p");
  text.append("Updated. ", button("Reload", () => location.reload()), " to use the new version.");
  const close = button("Later", () => notice.remove());
  requestAnimationFrame(() => notice.append(text, close)); // read out only when it changes an element already there
}

function button(label: string, act: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.addEventListener("click", act);
  return element;
}

/** Instant navigation would put pages of the new release under the script of the old one. */
function loadPagesAnew(): void {
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
