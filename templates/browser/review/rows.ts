/** A picture made of rows (labels, bars, a legend) as one drawing: its bars where they are on the page, its texts as text. */

import { DRAWN, framed, MARGIN, svg } from "./export";

/** The picture as a file of its own, in the page's present colors, between what it shows and where it is from. */
export function svgOfRows(figure: HTMLElement, shows: string): string {
  const { left, top, width, height } = figure.getBoundingClientRect();
  const whole = width + 2 * MARGIN;
  const drawing = svg("svg", { viewBox: `${-MARGIN} 0 ${whole} ${height}` });
  for (const bar of figure.querySelectorAll<SVGSVGElement>("svg")) {
    const at = bar.getBoundingClientRect();
    if (at.width === 0) continue;
    const copy = styled(bar);
    const place = { x: at.left - left, y: at.top - top, width: at.width, height: at.height, overflow: "visible" };
    for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
    drawing.append(copy);
  }
  const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) drawing.append(...linesOf(texts.currentNode as Text, left, top));
  return framed(drawing, whole, height, shows);
}

/** A copy that needs no style sheet. */
function styled(bar: SVGSVGElement): SVGSVGElement {
  const copy = bar.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [place, element] of [bar, ...bar.querySelectorAll("*")].entries()) {
    const style = getComputedStyle(element);
    for (const name of DRAWN) copies[place]?.setAttribute(name, style.getPropertyValue(name));
    if (element.parentNode === bar && element instanceof SVGRectElement) {
      copies[place]?.setAttribute("y", style.getPropertyValue("y")); // style sheets make bars flatter where there are many
      copies[place]?.setAttribute("height", style.getPropertyValue("height"));
    }
  }
  return copy;
}

/** The words of a text on the page, line by line as the browser broke them. */
function linesOf(node: Text, left: number, top: number): SVGElement[] {
  const parent = node.parentElement;
  if (!parent || parent.closest("svg, button, .visually-hidden")) return [];
  const style = getComputedStyle(parent);
  const lines = new Map<number, { x: number; y: number; words: string[] }>();
  for (const found of node.data.matchAll(/\S+/g)) {
    const range = document.createRange();
    range.setStart(node, found.index);
    range.setEnd(node, found.index + found[0].length);
    const at = range.getBoundingClientRect();
    if (at.width === 0) continue;
    const line = lines.get(at.top) ?? { x: at.left - left, y: at.top - top + at.height / 2, words: [] };
    line.words.push(found[0]);
    lines.set(at.top, line);
  }
  return [...lines.values()].map(({ x, y, words }) => {
    const font = { "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight };
    const text = svg("text", { x, y, "dominant-baseline": "central", fill: style.color, ...font });
    text.textContent = words.join(" ");
    return text;
  });
}
