/** The buttons of one calculator: undo, redo, reset, copy a link, copy the answer or everything as Markdown, save as JSON or as a spreadsheet, print, try again. */

import { save } from "../records/files";
import type { Announcer } from "./answer/announcer";
import { writeAttribute } from "./answer/dom";

export type Action = "undo" | "redo" | "reset" | "link" | "summary" | "markdown" | "described" | "spreadsheet" | "print" | "retry";

/** What each button does; a returned text is copied or saved, undefined means that there is none. */
export type Handlers = Readonly<Record<Action, () => void | Promise<string | undefined>>>;

const COPIED: Partial<Record<Action, string>> = { link: "Link copied", summary: "Answer copied", markdown: "Markdown copied" };
const SAVED: Partial<Record<Action, string>> = { described: "machine.json" };
const DONE: Partial<Record<Action, string>> = { undo: "Undone", redo: "Redone", reset: "Reset to the defaults" };

export function listen(root: HTMLElement, handlers: Handlers, announcer: Announcer, signal: AbortSignal): void {
  for (const button of root.querySelectorAll<HTMLElement>("button[data-action]")) {
    const action = button.dataset["action"] as Action;
    const act = async (): Promise<void> => {
      if (button.getAttribute("aria-disabled") === "true") return;
      const done = COPIED[action];
      const text = await handlers[action]();
      if (DONE[action]) announcer.announce(DONE[action]);
      const file = SAVED[action];
      if (file && text) {
        save(file, text);
        return announcer.notify(`${file} saved`);
      }
      if (!done && !file) return;
      if (!text) announcer.notify("Nothing to copy: an input is invalid, or the calculator is not running");
      else announcer.notify(((await copied(text)) && done) || "The browser blocked copying to the clipboard");
    };
    button.addEventListener("click", () => void act(), { signal });
  }
}

/** Undo and redo by keyboard anywhere in `scope` except in text boxes, which undo their own typing. */
export function listenForKeys(scope: Document | HTMLElement, handlers: Handlers, signal: AbortSignal): void {
  const pressed = (event: Event): void => {
    const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event as KeyboardEvent;
    if (ctrlKey === metaKey || altKey || (target instanceof Element && isText(target))) return;
    const action = key.toLowerCase() === "z" ? (shiftKey ? "redo" : "undo") : key.toLowerCase() === "y" ? "redo" : undefined;
    if (!action) return;
    event.preventDefault();
    void handlers[action]();
  };
  scope.addEventListener("keydown", pressed, { signal });
}

function isText(element: Element): boolean {
  return element.matches("textarea, [contenteditable], input:not([type=range], [type=checkbox], [type=radio])");
}

/** Enable and disable buttons; a disabled one keeps the focus. */
export function allow(root: HTMLElement, allowed: Partial<Record<Action, boolean>>): void {
  for (const [action, is] of Object.entries(allowed)) {
    const button = root.querySelector(`button[data-action="${action}"]`);
    if (button) writeAttribute(button, "aria-disabled", String(!is));
  }
}

export async function copied(text: string): Promise<boolean> {
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
