/**
 * A link's state until it is computed. Numbers of another state must not pass for its answer, so they are out of sight
 * (styles/pending.css), and a sentence in their place says what is going on.
 */

import type { Engine } from "../engine/engine";
import { progress } from "./status";
import { show, write } from "./writing";

export class Pending {
  private readonly place: HTMLElement | null;
  private isOn = false;
  private isWrong = false;

  constructor(private readonly root: HTMLElement) {
    this.place = root.querySelector<HTMLElement>("[data-pending-text]");
  }

  get is(): boolean {
    return this.isOn;
  }

  begin(engine: Engine): void {
    this.isWrong = false;
    this.turn(true);
    this.tell(engine);
  }

  /** It cannot be computed as it is. */
  refuse(): void {
    this.turn(true);
    this.isWrong = true;
    if (this.place) write(this.place, "This link cannot be computed: see what is marked at its inputs.");
  }

  end(): void {
    this.turn(false);
  }

  tell(engine: Engine): void {
    if (!this.isOn || !this.place || this.isWrong) return;
    if (engine.state === "failed") write(this.place, `This link’s answer cannot be computed here. ${engine.reason}`);
    else write(this.place, `The answer for this link is being computed. ${progress(engine)}`);
  }

  private turn(on: boolean): void {
    this.isOn = on;
    this.root.toggleAttribute("data-pending", on);
    show(this.place, on);
  }
}
