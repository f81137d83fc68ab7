/** The buttons of one calculator: reset, copy a link, copy as Markdown, print, try again. */

import { write } from "./writing";

const SAID_FOR_MS = 4000;

export type Action = "reset" | "link" | "markdown" | "print" | "retry";

/** What each button does; a text is copied, undefined means that there is nothing to copy. */
export type Deeds = Readonly<Record<Action, () => void | Promise<string | undefined>>>;

const COPIED: Partial<Record<Action, string>> = { link: "Link copied", markdown: "Markdown copied" };

export function listen(root: HTMLElement, deeds: Deeds, signal: AbortSignal): void {
  const said = root.querySelector<HTMLElement>("[data-said]");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (text: string): void => {
    if (!said) return;
    write(said, text);
    clearTimeout(timer);
    timer = setTimeout(() => write(said, ""), SAID_FOR_MS);
  };
  for (const button of root.querySelectorAll<HTMLElement>("button[data-action]")) {
    const action = button.dataset["action"] as Action;
    const act = async (): Promise<void> => {
      const done = COPIED[action];
      const text = await deeds[action]();
      if (!done) return;
      if (!text) say("Nothing to copy while an input is wrong or the calculator is not running");
      else say((await copied(text)) ? done : "The browser did not allow copying");
    };
    button.addEventListener("click", () => void act(), { signal });
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
