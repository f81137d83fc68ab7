/**
 * A state until it is computed, such as that of a link. Numbers of another state must not pass for its answer, so they are hidden
 * (styles/pending.css), and a sentence says what is happening.
 */

import type { Engine } from "../../engine/engine";
import { show, write } from "../answer/dom";
import { progress } from "../status";

export class PendingLink {
  private readonly message: HTMLElement | null;
  private isOn = false;
  private isInvalid = false;

  constructor(private readonly root: HTMLElement) {
    this.message = root.querySelector<HTMLElement>("[data-pending-text]");
  }

  get isPending(): boolean {
    return this.isOn;
  }

  begin(engine: Engine): void {
    this.isInvalid = false;
    this.turn(true);
    this.report(engine);
  }

  /** The state, which may be a link's, cannot be computed. */
  refuse(what: string): void {
    this.turn(true);
    this.isInvalid = true;
    if (this.message) write(this.message, `${what} cannot be computed: correct the inputs marked below.`);
  }

  /** A layout has to be found first. */
  search(text: string): void {
    this.turn(true);
    this.isInvalid = true;
    if (this.message) write(this.message, text);
  }

  end(): void {
    this.turn(false);
  }

  report(engine: Engine): void {
    if (!this.isOn || !this.message || this.isInvalid) return;
    if (engine.state === "failed") write(this.message, `This state cannot be computed here. ${engine.reason}`);
    else write(this.message, `Computing the answer. ${progress(engine)}`);
  }

  private turn(on: boolean): void {
    this.isOn = on;
    this.root.toggleAttribute("data-pending", on);
    show(this.message, on);
  }
}
