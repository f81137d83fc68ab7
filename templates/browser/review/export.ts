/** What a reader takes from the page into a document: a chart as SVG or PNG with title and source, its tables as CSV. */

import type { Table } from "../messages";

const SVG = "http://www.w3.org/2000/svg";
/** Properties by which the page's style sheets draw a chart; a file has no style sheet. */
export const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];
export const MARGIN = 12;
const CHART_WIDTH = 720;
const TITLE = { size: 14, line: 19, letters: 84 } as const; // in the units of a chart
const SOURCE = { size: 10, line: 14, letters: 118 } as const;
const DOTS_PER_UNIT = 2; // of a PNG

/** A chart of the page as a file of its own, in the page's present colors, between what it shows and where it is from. */
export function svgOf(chart: SVGSVGElement, shows: string): string {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [place, element] of [chart, ...chart.querySelectorAll("*")].entries()) {
    const style = getComputedStyle(element);
    for (const name of DRAWN) copies[place]?.setAttribute(name, style.getPropertyValue(name));
  }
  const { width, height } = chart.viewBox.baseVal;
  return framed(copy, width, height, shows);
}

/** A drawing of this size as a file, between what it shows and where it is from. */
export function framed(drawing: SVGElement, width: number, height: number, shows: string): string {
  const { color, backgroundColor, fontFamily } = getComputedStyle(document.body);
  const share = width / CHART_WIDTH;
  const title = lines(shows, TITLE.letters * share);
  const source = [sourceLine(), ...lines(location.href, SOURCE.letters * share)];
  const [top, bottom] = [title.length * TITLE.line + MARGIN, source.length * SOURCE.line + MARGIN];
  const whole = svg("svg", { width, height: height + top + bottom, viewBox: `0 0 ${width} ${height + top + bottom}`, "font-family": fontFamily, fill: color });
  whole.append(svg("rect", { width, height: height + top + bottom, fill: backgroundColor }));
  title.forEach((text, row) => whole.append(words(text, (row + 1) * TITLE.line, TITLE.size)));
  for (const [name, value] of Object.entries({ x: 0, y: top, width, height })) drawing.setAttribute(name, String(value));
  whole.append(drawing);
  source.forEach((text, row) => whole.append(words(text, top + height + (row + 1) * SOURCE.line, SOURCE.size)));
  return new XMLSerializer().serializeToString(whole);
}

/** A drawing as a picture of dots. */
export async function pngOf(drawing: string): Promise<Blob | undefined> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * DOTS_PER_UNIT;
  canvas.height = image.naturalHeight * DOTS_PER_UNIT;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined)));
}

/** Who made it, when: as at the foot of a printed page. */
function sourceLine(): string {
  const made = document.querySelector(".print-footer")?.firstChild?.textContent?.trim() ?? "Infrastructure for AI";
  return `${made} ${new Date().toISOString().slice(0, 10)}`;
}

function words(text: string, y: number, size: number): SVGElement {
  const element = svg("text", { x: MARGIN, y, "font-size": size });
  element.textContent = text;
  return element;
}

export function svg(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** A text in lines of at most so many letters; what has no space is broken anywhere. */
function lines(text: string, most: number): string[] {
  const found: string[] = [];
  for (const word of text.split(/\s+/).flatMap((one) => one.match(new RegExp(`.{1,${Math.floor(most)}}`, "gu")) ?? [])) {
    const last = found.at(-1);
    if (last !== undefined && last.length + word.length < most) found[found.length - 1] = `${last} ${word}`;
    else found.push(word);
  }
  return found;
}

/** The table of the page that a button is below, as it is shown: a cell's lines are parted by semicolons. */
export function tableAbove(button: HTMLElement): Table {
  const above = button.closest("p")?.previousElementSibling;
  const table = above instanceof HTMLTableElement ? above : above?.querySelector("table");
  const title = above?.getAttribute("aria-label") ?? button.closest("section")?.querySelector("h2")?.firstChild?.textContent ?? "";
  const [head, ...rest] = [...(table?.rows ?? [])].filter((row) => row.checkVisibility());
  const heads = head?.closest("thead") ? textsOf(head) : [];
  const rows = heads.length > 0 ? rest : [...(head ? [head] : []), ...rest];
  return { title: title.trim(), folded: false, heads, rows: rows.map((row) => ({ cells: textsOf(row), marked: [] })) };
}

function textsOf(row: HTMLTableRowElement): string[] {
  return [...row.cells].map((cell) => cell.innerText.trim().replace(/\s*\n\s*/g, "; ").replace(/\s+/g, " "));
}

/** Tables below each other, each under its title. */
export function csvOf(tables: readonly Table[]): string {
  const rowsOfAll = tables.flatMap(({ title, heads, rows }) => [[title], heads, ...rows.map(({ cells }) => cells)]);
  return rowsOfAll.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
