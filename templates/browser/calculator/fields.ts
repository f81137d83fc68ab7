/** The inputs of one calculator on the page: text boxes, sliders, menus and presets, and what is wrong with them. */

import type { Answer, Control, Texts } from "../messages";
import type { State } from "./state";
import { show, write, writeAttribute } from "./writing";

interface Field {
  readonly wrapper: HTMLElement;
  readonly box: HTMLInputElement | HTMLSelectElement | null;
  readonly slider: HTMLInputElement | null;
  readonly problem: HTMLElement | null;
}

export class Fields {
  private readonly fields = new Map<string, Field>();
  private readonly presets = new Map<string, HTMLSelectElement>();
  private readonly left = new Set<string>(); // boxes that may be rewritten although the cursor is still in them
  private readonly standing = new Map<string, string>(); // all that decides how a field stands, by its name
  private canonical: Texts = {};
  private version = 0;

  constructor(root: HTMLElement) {
    for (const wrapper of root.querySelectorAll<HTMLElement>("[data-input]")) {
      this.fields.set(wrapper.dataset["input"] ?? "", {
        wrapper,
        box: wrapper.querySelector<HTMLInputElement | HTMLSelectElement>("[data-box], [data-choice]"),
        slider: wrapper.querySelector<HTMLInputElement>("[data-slider]"),
        problem: wrapper.querySelector<HTMLElement>("[data-problem]"),
      });
    }
    for (const menu of root.querySelectorAll<HTMLSelectElement>("select[data-preset]")) {
      this.presets.set(menu.dataset["preset"] ?? "", menu);
    }
  }

  /** Which inputs each preset fills. */
  get fills(): Map<string, string[]> {
    const names = (menu: HTMLSelectElement): string[] => (menu.dataset["fills"] ?? "").split(" ").filter(Boolean);
    return new Map([...this.presets].map(([preset, menu]) => [preset, names(menu)]));
  }

  /** The record a preset's menu stands on. */
  chosen(preset: string): string {
    return this.presets.get(preset)?.value ?? "";
  }

  /** Put every change the reader makes into `state`, then say so. */
  listen(state: State, changed: () => void, signal: AbortSignal): void {
    for (const [name, { box, slider }] of this.fields) {
      slider?.addEventListener("input", () => (state.slide(name, slider.valueAsNumber), changed()), { signal });
      if (!box) continue;
      box.addEventListener("input", () => (this.left.delete(name), state.type(name, box.value), changed()), { signal });
      const leave = (): void => this.leave(name, box, state);
      for (const leaving of ["change", "blur"]) box.addEventListener(leaving, leave, { signal });
    }
    for (const [preset, menu] of this.presets) {
      menu.addEventListener("input", () => (state.choose(preset, menu.value), changed()), { signal });
    }
  }

  /** Show how all controls stand after the question of that `version`; returns the problems no field here can show. */
  show({ controls, presets, problems = {} }: Answer, state: State, version: number): string[] {
    this.version = version;
    if (controls) this.canonical = Object.fromEntries(Object.entries(controls).map(([name, { box }]) => [name, box]));
    for (const [name, field] of this.fields) {
      const problem = problems[name] ?? "";
      const control = controls?.[name];
      const isNewer = state.isNewer(name, version);
      const decisive = isNewer ? "" : JSON.stringify([state.lastTouch(name), problem, control]);
      if (!isNewer && this.standing.get(name) === decisive) continue;
      this.standing.set(name, decisive);
      if (control && !isNewer) this.stand(name, field, control, problem, state);
      this.complain(field, problem);
    }
    for (const [preset, menu] of this.presets) {
      const chosen = presets?.[preset];
      if (chosen !== undefined && !state.isNewer(preset, version) && menu.value !== chosen) menu.value = chosen;
    }
    return Object.entries(problems).flatMap(([name, problem]) => (this.fields.get(name)?.problem ? [] : [problem]));
  }

  private stand(name: string, field: Field, control: Control, problem: string, state: State): void {
    const { wrapper, box, slider } = field;
    writeAttribute(wrapper, "data-origin", problem ? "yours" : control.origin);
    const text = problem ? (state.typed(name) ?? control.box) : control.box;
    const isBeingTyped = box instanceof HTMLInputElement && box === document.activeElement && !this.left.has(name);
    if (box && box.value !== text && !isBeingTyped) box.value = text;
    if (!slider || control.stop === undefined || problem) return;
    if (slider.valueAsNumber !== control.stop) slider.value = String(control.stop);
    writeAttribute(slider, "aria-valuetext", control.text);
  }

  private complain({ box, problem, wrapper }: Field, sentence: string): void {
    if (!problem) return;
    write(problem, sentence);
    show(problem, sentence !== "");
    if (sentence === "") box?.removeAttribute("aria-invalid");
    else {
      box?.setAttribute("aria-invalid", "true");
      wrapper.closest("details")?.setAttribute("open", "");
    }
  }

  /** A box that was left shows its value as Python writes it, unless it is wrong; and once Python has seen it. */
  private leave(name: string, box: HTMLInputElement | HTMLSelectElement, state: State): void {
    this.left.add(name);
    const text = this.canonical[name];
    const isWrong = box.getAttribute("aria-invalid") === "true";
    if (text !== undefined && !isWrong && !state.isNewer(name, this.version)) box.value = text;
  }
}
