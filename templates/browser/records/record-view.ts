/** A record on the page: texts from Python, inserted as text and never as markup. */

import type { Recorded, Section } from "../messages";

/** Makes an element of a drawing that was stored; only the page's own script may. */
export type Redrawn = (text: string) => Element;

export function draw(view: HTMLElement, record: Recorded, redrawn: Redrawn): void {
  const sections = record.sections.filter(({ texts, rows }) => texts.length + rows.length > 0);
  view.replaceChildren(element("h2", record.title), ...sections.flatMap((section) => sectionElements(section, redrawn)));
}

function sectionElements(section: Section, redrawn: Redrawn): HTMLElement[] {
  const { heading, rows, shown, columns } = section;
  const texts = section.texts.slice(0, section.shown_texts);
  const found: HTMLElement[] = [element("h3", heading)];
  if (texts.length > 0 && section.listed) found.push(element("ul", ...texts.map((text) => element("li", text))));
  else found.push(...texts.map((text) => element("p", ...linked(text))));
  const pictures = (section.drawings ?? []).map(redrawn);
  const tables = rows.length > 0 ? [table(heading, columns, rows.slice(0, shown))] : [];
  if (pictures.length > 0) found.push(besideEachOther(...tables, charts(heading, pictures)));
  else found.push(...tables);
  if (section.more) found.push(element("p", section.more));
  return found;
}

function besideEachOther(...parts: readonly HTMLElement[]): HTMLElement {
  const around = element("div", ...parts);
  around.className = "record-compared";
  return around;
}

function charts(heading: string, pictures: readonly Element[]): HTMLElement {
  const around = element("wide-figure", ...pictures);
  around.setAttribute("role", "group");
  around.setAttribute("aria-label", `${heading}, charts`);
  return around;
}

function table(heading: string, columns: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const head = element("thead", element("tr", ...columns.map((text) => cell("th", text))));
  const body = element("tbody", ...rows.map((row) => element("tr", ...row.map((text) => cell("td", text)))));
  const scroll = element("div", element("table", head, body));
  scroll.className = "table-scroll";
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", heading);
  return scroll;
}

/** A text that is an address becomes a link. */
function linked(text: string): (HTMLElement | string)[] {
  if (!/^https?:\/\/\S+$/.test(text)) return [text];
  const anchor = element("a", text) as HTMLAnchorElement;
  anchor.href = text;
  return [anchor];
}

function cell(kind: "td" | "th", text: string): HTMLElement {
  const found = element(text === "" ? "td" : kind, text);
  if (kind === "th" && text !== "") found.setAttribute("scope", "col");
  return found;
}

function element(kind: string, ...inside: (Node | string)[]): HTMLElement {
  const made = document.createElement(kind);
  made.append(...inside);
  return made;
}
