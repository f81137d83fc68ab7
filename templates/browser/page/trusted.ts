/**
 * Trusted Types: the only place where text becomes markup or the address of a program. The content policy
 * (builder/site/finalize.py) refuses plain strings everywhere else, in browsers that know Trusted Types.
 *
 * Material's script hands over plain strings. A policy called `default` sees those, and lets pass only what that script
 * needs: its search worker, pages and the sitemap of this site, the inline script that every page has, and what the
 * search found, which is markup without attributes but Material's own classes.
 */

interface Rules {
  createHTML(text: string, type?: string, sink?: string): string;
  createScriptURL(address: string): string;
  createScript?(text: string): string;
}
type Factory = { createPolicy(name: string, rules: Rules): Rules };

const SITE = new URL("../", import.meta.url).href;
const PAGE = /^\s*<!doctype html>/i;
const SITEMAP = /^\s*<\?xml [^<>]*>\s*<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">(?:[^<]|<\/?(?:url|loc)>)*<\/urlset>\s*$/;
const SVG = "http://www.w3.org/2000/svg";
const SHAPES = new Set(["svg", "title", "desc", "g", "line", "rect", "polyline", "path", "circle", "text", "tspan"]);
const SHAPED = /^(?:class|id|role|aria-labelledby|viewBox|x|y|[cr][xy]?|[xy][12]|width|height|d|points|transform|fill(?:-opacity)?|stroke(?:-[a-z]+)?|text-anchor|font-[a-z]+)$/;
const TAGS = "div|h1|h2|p|ul|ol|li|pre|code|em|strong|b|i|sub|sup|br|del|span|mark";
const FOUND = new RegExp(`^(?:[^<]|</(?:${TAGS})>|<(?:${TAGS})(?: class="md-[\\w -]*"| data-md-highlight)?>)*$`);

const factory = (self as { trustedTypes?: Factory }).trustedTypes;
const refused = (what: string): never => {
  throw new TypeError(`refused: ${what.slice(0, 80)}`);
};
const ofThisSite = (address: string): string => (isOfThisSite(address) ? address : refused(address));
const given: Rules = {
  createHTML: (text) => text,
  createScriptURL: (address) => (address.startsWith(`blob:${origin}/`) ? address : ofThisSite(address)),
};
const ours = factory?.createPolicy("ai", given) ?? given;

/** Let Material's script work, and nothing else that hands over plain strings. */
export function trustTheme(): void {
  const policy = document.querySelector<HTMLMetaElement>("meta[http-equiv=Content-Security-Policy]")?.content ?? "";
  const inline = new Set([...document.scripts].map(({ text }) => text));
  factory?.createPolicy("default", {
    createHTML: (text, _type, sink = "") => {
      const parsed = sink.startsWith("DOMParser") && ((PAGE.test(text) && text.includes(policy)) || SITEMAP.test(text));
      return parsed || FOUND.test(text) ? text : refused(text);
    },
    createScriptURL: ofThisSite,
    createScript: (text) => (inline.has(text) ? text : refused(text)),
  });
}

/** The drawing in a text of SVG that our own Python wrote and escaped. */
export function drawn(text: string): Element {
  const { documentElement } = new DOMParser().parseFromString(ours.createHTML(text), "image/svg+xml");
  return document.importNode(documentElement, true);
}

/** The drawing in a text of SVG that a file or the browser's storage holds: its shapes and words, and nothing else. */
export function redrawn(text: string): Element {
  const { documentElement: drawing } = new DOMParser().parseFromString(ours.createHTML(text), "image/svg+xml");
  for (const element of [drawing, ...drawing.querySelectorAll("*")]) {
    if (element.namespaceURI !== SVG || !SHAPES.has(element.localName)) element.remove();
    for (const { name } of [...element.attributes]) if (!SHAPED.test(name)) element.removeAttribute(name);
  }
  return SHAPES.has(drawing.localName) ? document.importNode(drawing, true) : document.createElementNS(SVG, "svg");
}

/** An address of a program of this site, or of a blob of this page. */
export function program(address: string): string {
  return ours.createScriptURL(address);
}

function isOfThisSite(address: string): boolean {
  const { href } = new URL(address, document.baseURI);
  return href.startsWith(`${SITE}assets/`) || href === `${SITE}service-worker.js`;
}
