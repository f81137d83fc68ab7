/** The inputs of one calculator on the page: text boxes, sliders, menus and presets, and what is wrong with them. */

import type { Answer, Control, Texts } from "../messages";
import type { State } from "./state";
import { show, write, writeAttribute } from "./writing";

interface Field {
  readonly wrapper: HTMLElement;
  readonly box: HTMLInputElement | HTMLSelectElement | null;
  readonly slider: HTMLInputElement | null;
  readonly problem: HTMLElement | null;
  readonly word: HTMLElement | null;
  readonly note: HTMLElement | null;
  readonly effect: HTMLElement | null;
}

/** What the reader did: still typing in a box, changed something, or left a box. */
export type Doing = "typing" | "changed" | "left";

export class Fields {
  private readonly fields = new Map<string, Field>();
  private readonly aliases = new Map<string, string>();
  private readonly presets = new Map<string, HTMLSelectElement>();
  private readonly left = new Set<string>(); // boxes that may be rewritten although the cursor is still in them
  private readonly slid = new Set<string>(); // sliders whose place, and not a text, is what was last set
  private readonly standing = new Map<string, readonly unknown[]>(); // all that decides how a field stands, by its name
  private canonical: Texts = {};
  private version = 0;
  private areExpected = false; // some boxes say what a link gives that Python has not read yet

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

  /** The record a preset's menu stands on. */
  chosen(preset: string): string {
    return this.presets.get(preset)?.value ?? "";
  }

  /** What an input or a preset is called beside its control. */
  label(name: string): string {
    const control = this.presets.get(name) ?? this.fields.get(name)?.box;
    return control?.labels?.[0]?.querySelector("[data-label]")?.textContent ?? "";
  }

  /** Bring the keyboard to an input's control, out of a folded group if need be. */
  focus(name: string): void {
    const control = this.presets.get(name) ?? this.fields.get(name)?.box;
    control?.closest("details")?.setAttribute("open", "");
    control?.focus();
  }

  /** Put every change the reader makes into `state`, then say so. */
  listen(state: State, did: (doing: Doing) => void, signal: AbortSignal): void {
    for (const [name, { box, slider }] of this.fields) {
      const slide = (): void => {
        if (!slider) return;
        this.slid.add(name);
        state.slide(name, slider.valueAsNumber);
        did("changed");
      };
      slider?.addEventListener("input", slide, { signal });
      slider?.addEventListener("change", () => state.letGo(), { signal });
      if (!box) continue;
      const doing = box instanceof HTMLInputElement ? "typing" : "changed";
      const type = (): void => {
        this.left.delete(name);
        this.slid.delete(name);
        state.type(name, box.value);
        did(doing);
      };
      box.addEventListener("input", type, { signal });
      const leave = (): void => (state.letGo(), did("left"), this.leave(name, box, state));
      for (const leaving of ["change", "blur"]) box.addEventListener(leaving, leave, { signal });
    }
    for (const [preset, menu] of this.presets) {
      menu.addEventListener("input", () => (state.choose(preset, menu.value), did("changed")), { signal });
    }
  }

  /**
   * Let the boxes say what a link gives, before Python has read it. What it may have changed besides is marked as not
   * known yet: whatever a menu fills that the link names, and whatever is worked out from other inputs.
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

  /** Show how all controls stand after the question of that `version`; returns the problems no field here can show. */
  show({ controls, presets, problems = {} }: Answer, state: State, version: number): string[] {
    this.version = version;
    if (controls && this.areExpected) this.expectNothing();
    if (controls) this.canonical = Object.fromEntries(Object.entries(controls).map(([name, { box }]) => [name, box]));
    for (const [name, field] of this.fields) {
      const problem = problems[name] ?? "";
      const control = controls?.[name];
      const isNewer = state.isNewer(name, version);
      const decisive = isNewer ? [] : [state.lastTouch(name), problem, control];
      if (!isNewer && areSame(decisive, this.standing.get(name))) continue;
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

  /** Say at each input that changes nothing at present that it does not. */
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

  private stand(name: string, field: Field, control: Control, problem: string, state: State): void {
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

/** Most of what stays is the very same object. */
function areSame(these: readonly unknown[], those: readonly unknown[] = []): boolean {
  if (these.length !== those.length) return false;
  return these.every((one, place) => one === those[place]) || JSON.stringify(these) === JSON.stringify(those);
}

function choose(menu: HTMLSelectElement, key: string | undefined): void {
  if (key !== undefined && [...menu.options].some((option) => option.value === key)) menu.value = key;
}
