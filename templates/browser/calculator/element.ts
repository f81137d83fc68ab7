/** <ai-calculator data-calculator="checkpoint">: the HTML is complete without script; this makes it live. */

import type { Engine } from "../engine/engine";
import { addOwnRecords } from "../own/menus";
import { Calculator } from "./calculator";

/** Register the element; all of them share one engine. */
export function defineCalculator(engine: Engine): void {
  class CalculatorElement extends HTMLElement {
    private disconnected = new AbortController();

    connectedCallback(): void {
      this.disconnected = new AbortController();
      // Instant navigation parses a page as if scripts were off: put its folded parts back into <noscript>.
      for (const folded of this.querySelectorAll("details > noscript")) {
        if (folded.firstElementChild) folded.textContent = folded.innerHTML;
      }
      void addOwnRecords(this, engine);
      new Calculator(this, engine, this.disconnected.signal);
    }

    disconnectedCallback(): void {
      this.disconnected.abort();
    }
  }
  customElements.define("ai-calculator", CalculatorElement);
}
