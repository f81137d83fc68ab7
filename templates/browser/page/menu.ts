/**
 * The theme's menu on a narrow screen, for the keyboard: the theme has only a label to open it, which a button replaces.
 * While the menu is closed it is no stop of the Tab key (styles/frame.css).
 */

export function reachMenu(): void {
  const label = document.querySelector<HTMLElement>('.md-header__button[for="__drawer"]');
  const drawer = document.querySelector<HTMLInputElement>("#__drawer");
  if (!label || !drawer) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = `${label.className} menu-button`;
  button.setAttribute("aria-label", "Menu");
  button.append(...label.childNodes);
  const told = (): void => button.setAttribute("aria-expanded", String(drawer.checked));
  told();
  drawer.addEventListener("change", told);
  button.addEventListener("click", () => drawer.click());
  label.replaceWith(button);
}
