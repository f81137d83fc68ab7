/** The buttons of one calculator: undo, redo, reset, copy a link, copy as Markdown, save as JSON, print, try again. */

import { save } from "../records/files";
import type { Voice } from "./voice";
import { writeAttribute } from "./writing";

export type Action = "undo" | "redo" | "reset" | "link" | "markdown" | "described" | "print" | "retry";

/** What each button does; a text is copied or saved, undefined means that there is nothing to. */
export type Deeds = Readonly<Record<Action, () => void | Promise<string | undefined>>>;

const COPIED: Partial<Record<Action, string>> = { link: "Link copied", markdown: "Markdown copied" };
const SAVED: Partial<Record<Action, string>> = { described: "machine.json" };
const DONE: Partial<Record<Action, string>> = { undo: "Undone", redo: "Redone", reset: "Back to the defaults" };

export function listen(root: HTMLElement, deeds: Deeds, voice: Voice, signal: AbortSignal): void {
  for (const button of root.querySelectorAll<HTMLElement>("button[data-action]")) {
    const action = button.dataset["action"] as Action;
    const act = async (): Promise<void> => {
      if (button.getAttribute("aria-disabled") === "true") return;
      const done = COPIED[action];
      const text = await deeds[action]();
      if (DONE[action]) voice.say(DONE[action]);
      const file = SAVED[action];
      if (file && text) {
        save(file, text);
        return voice.tell(`${file} saved`);
      }
      if (!done && !file) return;
      if (!text) voice.tell("Nothing to copy while an input is wrong or the calculator is not running");
      else voice.tell(((await copied(text)) && done) || "The browser did not allow copying");
    };
    button.addEventListener("click", () => void act(), { signal });
  }
}

/** Ctrl+Z, Ctrl+Y and their like anywhere in `place`, but in boxes of text, which undo what was typed in them. */
export function listenForKeys(place: Document | HTMLElement, deeds: Deeds, signal: AbortSignal): void {
  const pressed = (event: Event): void => {
    const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event as KeyboardEvent;
    if (ctrlKey === metaKey || altKey || (target instanceof Element && isText(target))) return;
    const action = key.toLowerCase() === "z" ? (shiftKey ? "redo" : "undo") : key.toLowerCase() === "y" ? "redo" : undefined;
    if (!action) return;
    event.preventDefault();
    void deeds[action]();
  };
  place.addEventListener("keydown", pressed, { signal });
}

function isText(element: Element): boolean {
  return element.matches("textarea, [contenteditable], input:not([type=range], [type=checkbox], [type=radio])");
}

/** Say which of undo and redo has something to do; a button keeps the keyboard also when it has not. */
export function allow(root: HTMLElement, allowed: Partial<Record<Action, boolean>>): void {
  for (const [action, is] of Object.entries(allowed)) {
    const button = root.querySelector(`button[data-action="${action}"]`);
    if (button) writeAttribute(button, "aria-disabled", String(!is));
  }
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text); // there only on https and localhost
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
