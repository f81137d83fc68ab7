/** The line with the state of the engine, its progress bar and the button to try again. */

import type { Engine } from "../engine/engine";
import { show, write, writeAttribute } from "./answer/dom";

const MEGABYTE = 1e6;

export class Status {
  private readonly line: HTMLElement | null;
  private readonly bar: HTMLProgressElement | null;
  private readonly retry: HTMLElement | null;
  private readonly builtIn: string;

  constructor(
    private readonly root: HTMLElement,
    private readonly isPending: () => boolean,
  ) {
    this.line = root.querySelector<HTMLElement>("[data-engine-text]");
    this.bar = root.querySelector<HTMLProgressElement>("progress[data-engine-progress]");
    this.retry = root.querySelector<HTMLElement>('[data-action="retry"]');
    this.builtIn = this.line?.textContent ?? "";
  }

  show(engine: Engine): void {
    writeAttribute(this.root, "data-engine", engine.state);
    writeAttribute(this.root, "data-way", engine.way);
    if (this.line) write(this.line, this.sentence(engine));
    show(this.retry, engine.state === "failed");
    if (!this.bar) return;
    show(this.bar, engine.state === "downloading" || engine.state === "starting");
    if (engine.state === "downloading") {
      this.bar.max = engine.total;
      this.bar.value = engine.loaded;
    } else this.bar.removeAttribute("value");
  }

  private sentence(engine: Engine): string {
    switch (engine.state) {
      case "idle":
        return this.isPending() ? "" : this.builtIn;
      case "live":
        return "Live: computed in your browser.";
      case "failed":
        return `The calculator cannot run here. ${engine.reason}${this.isPending() ? "" : " The last results stay on the page."}`;
      default:
        return progress(engine);
    }
  }
}

/** What the engine is doing until it is live. */
export function progress({ state, loaded, total }: Engine): string {
  if (state === "starting") return "Starting Python.";
  if (state !== "downloading") return "";
  return `Loading Python: ${(loaded / MEGABYTE).toFixed(1)} of ${(total / MEGABYTE).toFixed(1)} MB`;
}
