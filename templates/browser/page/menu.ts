/**
 * The theme's menu on a narrow screen, for the keyboard: the theme has only a label to open it, which becomes a button.
 * What is out of sight is no stop of the Tab key: the menu while it is closed (styles/frame.css), and the empty list of
 * a search that nobody has begun.
 */

export function reachMenu(): void {
  const label = document.querySelector<HTMLElement>('.md-header__button[for="__drawer"]');
  const drawer = document.querySelector<HTMLInputElement>("#__drawer");
  document.querySelector(".md-search__scrollwrap")?.setAttribute("tabindex", "-1");
  if (!label || !drawer) return;
  label.tabIndex = 0;
  label.setAttribute("role", "button");
  label.setAttribute("aria-label", "Menu");
  const told = (): void => label.setAttribute("aria-expanded", String(drawer.checked));
  told();
  drawer.addEventListener("change", told);
  label.addEventListener("keydown", (event) => {
    if (event.key !== " ") return; // the theme sees to Enter
    event.preventDefault();
    label.click();
  });
}
