/**
 * Inputs inside the answer's sentence: type, step with the arrow keys, or drag. Everything goes through the input's own
 * control on the page, so it is checked, undone and announced like any other change.
 */

import { actAsButton } from "./button";
import { write } from "./dom";

const STOP_PX = 6; // pointer travel per slider stop
const DRAGGED_PX = 4;
const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };

interface InlineInput {
  readonly element: HTMLElement;
  readonly name: string;
  readonly box: HTMLInputElement | HTMLSelectElement;
  readonly slider: HTMLInputElement | null;
}

/** Focus an element as soon as it can be: until an answer comes, the sentence may be hidden. */
function focusSoon(element: HTMLElement, frames = 300): void {
  element.focus();
  if (document.activeElement === document.body && frames > 0) requestAnimationFrame(() => focusSoon(element, frames - 1));
}

export class Sentence {
  private readonly problem = document.createElement("span");
  private typed: { input: InlineInput; control: HTMLInputElement | HTMLSelectElement } | undefined;
  private wasDragged = false;

  constructor(root: HTMLElement, signal: AbortSignal) {
    this.problem.className = "field-problem-inline";
    this.problem.setAttribute("role", "status");
    for (const element of root.querySelectorAll<HTMLElement>(".answer .given-value")) {
      const name = element.dataset["value"] ?? element.dataset["cell"]?.replace("answer.", "") ?? "";
      const field = root.querySelector(`[data-input="${name}"]`);
      const box = field?.querySelector<HTMLInputElement | HTMLSelectElement>("[data-box], [data-choice]");
      if (!field || !box) continue;
      const label = field.querySelector("[data-label]")?.textContent ?? "";
      const input = { element, name, box, slider: field.querySelector<HTMLInputElement>("[data-slider]") };
      actAsButton(element, `${label}: type, or step with the arrow keys`, signal, () => this.used(input));
      element.addEventListener("keydown", (event) => this.pressed(input, event), { signal });
      if (input.slider) this.listenForDrags(input, input.slider, signal);
    }
  }

  /** Show the problem of the input being typed next to it. */
  answered(problems: Readonly<Record<string, string>> = {}): void {
    if (!this.typed) return;
    const problem = problems[this.typed.input.name] ?? "";
    this.typed.control.setAttribute("aria-invalid", String(problem !== ""));
    write(this.problem, problem);
  }

  private used(input: InlineInput): void {
    if (!this.wasDragged) this.edit(input);
  }

  private pressed(input: InlineInput, event: KeyboardEvent): void {
    const by = STEPS[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step(input, by);
    set(input.slider ?? input.box, "change");
  }

  private listenForDrags(input: InlineInput, slider: HTMLInputElement, signal: AbortSignal): void {
    const { element } = input;
    let from = 0;
    let stop = 0;
    element.addEventListener(
      "pointerdown",
      ({ pointerId, clientX }) => {
        from = clientX;
        stop = slider.valueAsNumber;
        this.wasDragged = false;
        element.setPointerCapture(pointerId);
      },
      { signal },
    );
    element.addEventListener(
      "pointermove",
      ({ pointerId, clientX }) => {
        if (!element.hasPointerCapture(pointerId)) return;
        this.wasDragged ||= Math.abs(clientX - from) >= DRAGGED_PX;
        if (this.wasDragged) moveTo(slider, stop + Math.round((clientX - from) / STOP_PX));
      },
      { signal },
    );
    const done = (): void => {
      if (!this.wasDragged) return;
      set(slider, "change");
      setTimeout(() => (this.wasDragged = false)); // the click that ends a drag comes right after it
    };
    element.addEventListener("pointerup", done, { signal });
  }

  /** Replace the value by a box or menu until it loses the focus. */
  private edit(input: InlineInput): void {
    const { element, box, name } = input;
    const before = box.value;
    const control = box.cloneNode(true) as HTMLInputElement | HTMLSelectElement;
    for (const attribute of ["id", "name", "data-box", "data-choice", "aria-describedby"]) control.removeAttribute(attribute);
    control.className = "in-sentence";
    control.value = before;
    control.setAttribute("aria-label", name.replaceAll("_", " "));
    if (box.labels?.[0]) control.setAttribute("aria-label", box.labels[0].querySelector("[data-label]")?.textContent ?? "");
    if (control instanceof HTMLInputElement) control.size = Math.max(before.length, 4);
    const done = new AbortController();
    const leave = (keepsFocus: boolean): void => {
      if (done.signal.aborted) return;
      done.abort();
      this.typed = undefined;
      set(box, "change");
      write(this.problem, "");
      this.problem.remove();
      control.remove();
      element.hidden = false;
      if (keepsFocus) focusSoon(element);
    };
    const type = (text: string): void => {
      if (box.value === text) return;
      box.value = text;
      set(box, "input");
    };
    control.addEventListener("input", () => type(control.value), { signal: done.signal });
    control.addEventListener("blur", () => leave(false), { signal: done.signal });
    control.addEventListener(
      "keydown",
      (event) => {
        if ((event as KeyboardEvent).key === "Escape") type(before);
        else if ((event as KeyboardEvent).key !== "Enter") return;
        event.preventDefault();
        leave(true);
      },
      { signal: done.signal },
    );
    element.after(control, this.problem);
    element.hidden = true;
    this.typed = { input, control };
    control.focus();
    if (control instanceof HTMLInputElement) control.select();
  }
}

/** One stop, or one option, further. */
function step({ slider, box }: InlineInput, by: number): void {
  if (slider) return moveTo(slider, slider.valueAsNumber + by);
  if (!(box instanceof HTMLSelectElement)) return;
  const next = box.options[box.selectedIndex + by];
  if (!next) return;
  box.value = next.value;
  set(box, "input");
}

function moveTo(slider: HTMLInputElement, stop: number): void {
  const before = slider.value;
  slider.value = String(stop); // a slider stays between its ends
  if (slider.value !== before) set(slider, "input");
}

function set(control: HTMLElement, kind: "input" | "change"): void {
  control.dispatchEvent(new Event(kind, { bubbles: true }));
}
