/** What a reader takes from the explore panel into a document: a chart as SVG, its tables as CSV. */

import type { Table } from "../messages";

/** Properties by which the page's style sheets draw a chart; a file has no style sheet. */
const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];

/** A chart of the page as a file of its own, in the page's present colors. */
export function svgOf(chart: SVGSVGElement): string {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [place, element] of [chart, ...chart.querySelectorAll("*")].entries()) {
    const style = getComputedStyle(element);
    for (const name of DRAWN) copies[place]?.setAttribute(name, style.getPropertyValue(name));
  }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("style", `background: ${getComputedStyle(document.body).backgroundColor}`);
  return new XMLSerializer().serializeToString(copy);
}

/** Tables below each other, each under its title. */
export function csvOf(tables: readonly Table[]): string {
  const lines = tables.flatMap(({ title, heads, rows }) => [[title], heads, ...rows.map(({ cells }) => cells)]);
  return lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
