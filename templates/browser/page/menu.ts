/**
 * Makes the theme's menu on narrow screens reachable by keyboard: a button replaces the label that opens it. While the
 * menu is closed, Tab skips it (styles/frame.css).
 */

export function makeMenuReachable(): void {
  const label = document.querySelector<HTMLElement>('.md-header__button[for="__drawer"]');
  const drawer = document.querySelector<HTMLInputElement>("#__drawer");
  if (!label || !drawer) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = `${label.className} menu-button`;
  button.setAttribute("aria-label", "Menu");
  button.append(...label.childNodes);
  const update = (): void => button.setAttribute("aria-expanded", String(drawer.checked));
  update();
  drawer.addEventListener("change", update);
  button.addEventListener("click", () => drawer.click());
  label.replaceWith(button);
}
