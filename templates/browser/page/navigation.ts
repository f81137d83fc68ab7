/**
 * Instant navigation: follows links without reloading, so that the engine keeps running. Material does that, with two
 * gaps that this closes: it follows links only to the addresses in the sitemap, which are where the site is published,
 * not where it may be unpacked; and the first anchor followed within the first page makes it fetch that page again, so
 * that the state of its calculator would be lost.
 */

/** Material's stream of addresses to show. */
interface Addresses {
  next(address: URL): void;
  subscribe(seen: () => void): void;
}

/** `root` is the site's address, with a slash at its end. */
export function followLinks(root: string): void {
  const addresses = (window as { location$?: Addresses }).location$;
  if (!addresses) return;
  const visit = window as { isFirstPage?: boolean }; // for the listener in templates/theme/main.html
  visit.isFirstPage = true; // Material has navigated nowhere yet and does not know that it has this page
  addresses.subscribe(() => (visit.isFirstPage = false));

  // Runs before Material, which listens on the body: the browser goes to an anchor by itself.
  document.addEventListener(
    "click",
    (event) => {
      const url = destination(event);
      if (visit.isFirstPage && url?.hash && isHere(url)) event.stopPropagation();
    },
    { capture: true },
  );

  // Runs after Material.
  document.addEventListener("click", (event) => {
    const url = destination(event);
    if (!url || event.defaultPrevented || isHere(url)) return;
    if (!url.href.startsWith(root) || !url.pathname.endsWith("/")) return;
    event.preventDefault();
    history.replaceState({ x: scrollX, y: scrollY }, ""); // where Material scrolls on the way back
    history.pushState(null, "", url);
    addresses.next(url);
  });
}

/** The address a click leads to, if it is a plain click on a link that only leads there. */
export function destination(event: MouseEvent): URL | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return undefined;
  if (link.dataset["explore"] !== undefined) return undefined; // calculator/loader.ts
  return new URL(link.href);
}

/** Whether this is the address of the current page, with any fragment. */
export function isHere(url: URL): boolean {
  return url.origin === location.origin && url.pathname === location.pathname && url.search === location.search;
}
