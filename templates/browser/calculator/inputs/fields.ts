/** The inputs of one calculator on the page: text boxes, sliders, menus and presets, and what is wrong with them. */

import type { Answer, Control, Texts } from "../../messages";
import type { State } from "../state";
import { show, write, writeAttribute } from "../answer/dom";
import { reveal } from "../tabs";
import { stepped, stepsOf } from "./steps";

interface Field {
  readonly wrapper: HTMLElement;
  readonly box: HTMLInputElement | HTMLSelectElement | null;
  readonly slider: HTMLInputElement | null;
  readonly problem: HTMLElement | null;
  readonly word: HTMLElement | null;
  readonly note: HTMLElement | null;
  readonly effect: HTMLElement | null;
}

/** What the reader is doing: typing in a box, changing a control, or leaving a box. */
export type Editing = "typing" | "changed" | "left";

export class Fields {
  private readonly fields = new Map<string, Field>();
  private readonly aliases = new Map<string, string>();
  private readonly presets = new Map<string, HTMLSelectElement>();
  private readonly left = new Set<string>(); // boxes that may be rewritten although they still have the focus
  private readonly slid = new Set<string>(); // inputs last set by slider, not by text
  private readonly shown = new Map<string, readonly unknown[]>(); // everything a field shows, by name
  private canonical: Texts = {};
  private version = 0;
  private areExpected = false; // some boxes show the text of a link that Python has not read yet

  constructor(root: HTMLElement) {
    for (const wrapper of root.querySelectorAll<HTMLElement>("[data-input]")) {
      const name = wrapper.dataset["input"] ?? "";
      this.fields.set(name, {
        wrapper,
        box: wrapper.querySelector<HTMLInputElement | HTMLSelectElement>("[data-box], [data-choice]"),
        slider: wrapper.querySelector<HTMLInputElement>("[data-slider]"),
        problem: wrapper.querySelector<HTMLElement>("[data-problem]"),
        word: wrapper.querySelector<HTMLElement>("[data-origin-word]"),
        note: wrapper.querySelector<HTMLElement>("[data-note]"),
        effect: wrapper.querySelector<HTMLElement>("[data-effect]"),
      });
      for (const alias of (wrapper.dataset["aliases"] ?? "").split(" ")) this.aliases.set(alias, name);
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

  /** The record chosen in a preset's menu. */
  chosen(preset: string): string {
    return this.presets.get(preset)?.value ?? "";
  }

  /** The label of an input or preset. */
  label(name: string): string {
    const control = this.presets.get(name) ?? this.fields.get(name)?.box;
    return control?.labels?.[0]?.querySelector("[data-label]")?.textContent ?? "";
  }

  /** Focus an input's control, unfolding its group if needed. */
  focus(name: string): void {
    const control = this.presets.get(name) ?? this.fields.get(name)?.box;
    control?.closest("details")?.setAttribute("open", "");
    reveal(control);
    control?.focus();
  }

  /** Put every change the reader makes into `state`, then call `edited`. */
  listen(state: State, edited: (editing: Editing) => void, signal: AbortSignal): void {
    for (const [name, { box, slider }] of this.fields) {
      const slide = (): void => {
        if (!slider) return;
        this.slid.add(name);
        state.slide(name, slider.valueAsNumber);
        edited("changed");
      };
      slider?.addEventListener("input", slide, { signal });
      slider?.addEventListener("change", () => state.release(), { signal });
      if (!box) continue;
      const editing = box instanceof HTMLInputElement ? "typing" : "changed";
      const type = (): void => {
        this.left.delete(name);
        this.slid.delete(name);
        state.type(name, box.value);
        edited(editing);
      };
      box.addEventListener("input", type, { signal });
      const step = (event: KeyboardEvent): void => {
        if (!(box instanceof HTMLInputElement)) return;
        const steps = stepsOf(event, event.currentTarget === box);
        const text = steps && stepped(box.value, steps, "whole" in box.dataset);
        if (!text) return;
        event.preventDefault();
        box.value = text;
        type();
      };
      const controls: readonly (HTMLElement | null)[] = [box, slider];
      for (const control of controls) control?.addEventListener("keydown", step, { signal });
      const leave = (): void => (state.release(), edited("left"), this.leave(name, box, state));
      for (const leaving of ["change", "blur"]) box.addEventListener(leaving, leave, { signal });
    }
    for (const [preset, menu] of this.presets) {
      menu.addEventListener("input", () => (state.choose(preset, menu.value), edited("changed")), { signal });
    }
  }

  /**
   * Show the texts of a link before Python has read it. Other inputs that it may change are marked as unknown: those
   * filled by a menu that the link names, and those derived from other inputs.
   */
  expect(texts: ReadonlyMap<string, string>): void {
    const given = new Map([...texts].map(([name, text]) => [this.aliases.get(name) ?? name, text]));
    const filled = new Set([...this.fills].flatMap(([preset, names]) => (given.has(preset) ? names : [])));
    this.areExpected = true;
    for (const [preset, menu] of this.presets) choose(menu, given.get(preset));
    for (const [name, { wrapper, box }] of this.fields) {
      const text = given.get(name);
      wrapper.toggleAttribute("data-expected", text !== undefined);
      wrapper.toggleAttribute(
        "data-unknown",
        text === undefined && (filled.has(name) || wrapper.dataset["origin"] !== "default"),
      );
      if (box instanceof HTMLSelectElement) choose(box, text);
      else if (box && text !== undefined) box.value = text;
    }
  }

  /** Show all controls as answered for the state of that `version`; returns the problems that no field here can show. */
  show({ controls, presets, problems = {} }: Answer, state: State, version: number): string[] {
    this.version = version;
    if (controls && this.areExpected) this.expectNothing();
    if (controls) this.canonical = Object.fromEntries(Object.entries(controls).map(([name, { box }]) => [name, box]));
    for (const [name, field] of this.fields) {
      const problem = problems[name] ?? "";
      const control = controls?.[name];
      const isNewer = state.isNewer(name, version);
      const decisive = isNewer ? [] : [state.lastTouch(name), problem, control];
      if (!isNewer && areSame(decisive, this.shown.get(name))) continue;
      this.shown.set(name, decisive);
      if (control && !isNewer) this.showControl(name, field, control, problem, state);
      this.showProblem(field, problem);
    }
    for (const [preset, menu] of this.presets) {
      const chosen = presets?.[preset];
      if (chosen !== undefined && !state.isNewer(preset, version) && menu.value !== chosen) menu.value = chosen;
    }
    return Object.entries(problems).flatMap(([name, problem]) => (this.fields.get(name)?.problem ? [] : [problem]));
  }

  /** Mark each input that has no effect at present. */
  showEffects(idle: Texts): void {
    for (const [name, { wrapper, effect }] of this.fields) {
      wrapper.toggleAttribute("data-idle", name in idle);
      if (effect) write(effect, idle[name] ?? "");
    }
  }

  private expectNothing(): void {
    this.areExpected = false;
    for (const { wrapper } of this.fields.values()) {
      wrapper.removeAttribute("data-expected");
      wrapper.removeAttribute("data-unknown");
    }
  }

  private showControl(name: string, field: Field, control: Control, problem: string, state: State): void {
    const { wrapper, box, slider, word, note } = field;
    writeAttribute(wrapper, "data-origin", problem ? "yours" : control.origin);
    if (word) write(word, control.word);
    if (note) (write(note, control.note), show(note, control.note !== ""));
    const text = problem ? (state.typed(name) ?? control.box) : control.box;
    const isBeingTyped = box instanceof HTMLInputElement && box === document.activeElement && !this.left.has(name);
    if (box && box.value !== text && !isBeingTyped) box.value = text;
    if (slider && box && problem && this.slid.has(name)) writeAttribute(slider, "aria-valuetext", box.value);
    if (!slider || control.stop === undefined || problem) return;
    if (slider.valueAsNumber !== control.stop) slider.value = String(control.stop);
    writeAttribute(slider, "aria-valuetext", control.text);
  }

  private showProblem({ box, problem, wrapper }: Field, sentence: string): void {
    if (!problem) return;
    write(problem, sentence);
    show(problem, sentence !== "");
    if (sentence === "") box?.removeAttribute("aria-invalid");
    else {
      box?.setAttribute("aria-invalid", "true");
      wrapper.closest("details")?.setAttribute("open", "");
    }
  }

  /** Show the value of a box that was left as Python writes it, unless it is invalid or not yet answered. */
  private leave(name: string, box: HTMLInputElement | HTMLSelectElement, state: State): void {
    this.left.add(name);
    const text = this.canonical[name];
    const isInvalid = box.getAttribute("aria-invalid") === "true";
    if (text !== undefined && !isInvalid && !state.isNewer(name, this.version)) box.value = text;
  }
}

/** Usually the objects themselves are the same. */
function areSame(these: readonly unknown[], those: readonly unknown[] = []): boolean {
  if (these.length !== those.length) return false;
  return these.every((one, index) => one === those[index]) || JSON.stringify(these) === JSON.stringify(those);
}

function choose(menu: HTMLSelectElement, key: string | undefined): void {
  if (key !== undefined && [...menu.options].some((option) => option.value === key)) menu.value = key;
}
