/** <ai-calculator data-calculator="checkpoint">: HTML that is complete before any script, brought to life. */

import { Calculator } from "./calculator";
import type { Engine } from "../engine/engine";

/** Register the element; all of them share one engine. */
export function define(engine: Engine): void {
  class CalculatorElement extends HTMLElement {
    private gone = new AbortController();

    connectedCallback(): void {
      this.gone = new AbortController();
      // A page that instant navigation brought was read as if there were no script: what it keeps folded goes back.
      for (const kept of this.querySelectorAll("details > noscript")) {
        if (kept.firstElementChild) kept.textContent = kept.innerHTML;
      }
      new Calculator(this, engine, this.gone.signal);
    }

    disconnectedCallback(): void {
      this.gone.abort();
    }
  }
  customElements.define("ai-calculator", CalculatorElement);
}
