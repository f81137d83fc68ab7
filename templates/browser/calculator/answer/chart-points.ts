/**
 * The point of a chart along one input: dragged, or moved by the arrow keys, it moves the page's slider of that input, so
 * the change is computed, undone and announced like any other. The line stays while its point moves: it is the same line.
 */

import type { Texts } from "../../messages";
import { write, writeAttribute } from "./dom";

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };
const LABEL = 9; // from the point to its words, in the units of the chart
const TOUCH = 24; // radius of the area in which the point is taken: 24 pixels across on a phone

/** A stop of the slider, and where the line is at it. */
interface Place {
  readonly stop: number;
  readonly x: number;
  readonly y: number;
}

export class ChartPoints {
  private dragged: Element | undefined; // the element around the chart, which stays when the chart is drawn again

  constructor(private readonly root: HTMLElement, signal: AbortSignal) {
    const moved = (event: PointerEvent): void => {
      const point = this.dragged?.querySelector<SVGGElement>(".chart-point");
      if (!point) return;
      const at = xOf(point, event);
      this.move(point, placesOf(point).reduce((one, other) => (Math.abs(other.x - at) < Math.abs(one.x - at) ? other : one)));
    };
    const taken = (event: PointerEvent): void => {
      const point = event.target instanceof Element ? event.target.closest(".chart-point[role]") : null;
      if (!point || event.button !== 0) return;
      event.preventDefault(); // no text is selected
      (point as SVGGElement).focus();
      this.dragged = holderOf(point);
      this.dragged?.setPointerCapture(event.pointerId);
    };
    const released = (): void => {
      const point = this.dragged?.querySelector(".chart-point");
      this.dragged = undefined;
      if (point) this.slider(point)?.dispatchEvent(new Event("change", { bubbles: true }));
    };
    root.addEventListener("pointerdown", taken, { signal });
    root.addEventListener("pointermove", moved, { signal });
    for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, released, { signal });
    root.addEventListener("keydown", (event) => this.pressed(event), { signal });
  }

  /** Let the point of a chart that was just drawn be moved, if the page has a slider of its input. */
  drawn(holder: Element, hadFocus: boolean): void {
    const point = holder.querySelector<SVGGElement>(".chart-point");
    const slider = point && this.slider(point);
    if (!slider || placesOf(point).length < 2) return;
    point.closest("svg")?.setAttribute("role", "group"); // what is in an image cannot be operated
    for (const [name, text] of [["role", "slider"], ["tabindex", "0"], ["aria-label", slider.getAttribute("aria-label") ?? ""]] as const) {
      point.setAttribute(name, text);
    }
    const area = point.querySelector("circle")?.cloneNode() as SVGElement;
    for (const [name, text] of [["class", "chart-touch"], ["r", String(TOUCH)]] as const) area.setAttribute(name, text);
    point.prepend(area);
    this.describe(point, slider);
    if (hadFocus) point.focus({ preventScroll: true });
  }

  /** An answer is on the page: points that were moved say its result. */
  answered(texts: Texts): void {
    for (const point of this.root.querySelectorAll("[data-moving] .chart-point")) {
      const [label, slider] = [point.querySelector("text"), this.slider(point)];
      if (label) write(label, texts[point.getAttribute("data-result") ?? ""] ?? "");
      if (slider) this.describe(point, slider);
    }
  }

  private pressed(event: KeyboardEvent): void {
    const point = event.target instanceof Element && event.target.matches(".chart-point") ? (event.target as SVGGElement) : null;
    const [step, slider] = [STEPS[event.key], point && this.slider(point)];
    if (!point || !slider || step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const places = placesOf(point);
    const now = places.findIndex(({ stop }) => stop >= slider.valueAsNumber);
    const next = places[Math.min(Math.max((now < 0 ? places.length - 1 : now) + step, 0), places.length - 1)];
    if (next) this.move(point, next);
    slider.dispatchEvent(new Event("change", { bubbles: true })); // as a slider does after each key
  }

  private move(point: SVGGElement, { stop, x, y }: Place): void {
    const slider = this.slider(point);
    if (!slider || slider.valueAsNumber === stop) return;
    slider.value = String(stop);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    point.closest(".sweep, .review-fold")?.setAttribute("data-moving", "");
    const label = point.querySelector("text");
    for (const circle of point.querySelectorAll("circle")) (circle.setAttribute("cx", String(x)), circle.setAttribute("cy", String(y)));
    const isLeft = x > (point.ownerSVGElement?.viewBox.baseVal.width ?? 0) / 2;
    label?.setAttribute("x", String(x + (isLeft ? -LABEL : LABEL)));
    label?.setAttribute("y", String(y - LABEL));
    label?.setAttribute("text-anchor", isLeft ? "end" : "start");
    label?.classList.toggle("f-end", isLeft);
    this.describe(point, slider);
  }

  private describe(point: Element, slider: HTMLInputElement): void {
    for (const name of ["min", "max"] as const) writeAttribute(point, `aria-value${name}`, slider[name]);
    writeAttribute(point, "aria-valuenow", slider.value);
    writeAttribute(point, "aria-valuetext", slider.getAttribute("aria-valuetext") ?? "");
  }

  private slider(point: Element): HTMLInputElement | null {
    return this.root.querySelector<HTMLInputElement>(`[data-input="${point.getAttribute("data-along") ?? ""}"] [data-slider]`);
  }
}

function holderOf(point: Element): Element | undefined {
  return point.closest("wide-figure") ?? undefined;
}

function placesOf(point: Element): Place[] {
  return (point.getAttribute("data-places") ?? "").split(" ").filter(Boolean).map((text) => {
    const [stop = 0, x = 0, y = 0] = text.split(",").map(Number);
    return { stop, x, y };
  });
}

/** Where the pointer is along the chart's own scale. */
function xOf(point: SVGGElement, { clientX, clientY }: PointerEvent): number {
  const screen = point.ownerSVGElement?.getScreenCTM();
  return screen ? new DOMPoint(clientX, clientY).matrixTransform(screen.inverse()).x : clientX;
}
