/** Elements whose script is loaded only on the page that has one. */

import type { Engine } from "../engine/engine";
import { reportMissing } from "./missing";
import { redrawn } from "./trusted";

interface Module {
  mount(root: HTMLElement, engine: Engine, signal: AbortSignal, redrawn: (text: string) => Element): void;
}

/** `script` is the address of the module that makes elements of this name live. */
export function defineOnDemand(name: string, engine: Engine, script: string): void {
  class OnDemandElement extends HTMLElement {
    private disconnected = new AbortController();

    connectedCallback(): void {
      const { signal } = (this.disconnected = new AbortController());
      void (import(script) as Promise<Module>).then(
        ({ mount }) => {
          if (!signal.aborted) mount(this, engine, signal, redrawn);
        },
        () => reportMissing(this),
      );
    }

    disconnectedCallback(): void {
      this.disconnected.abort();
    }
  }
  customElements.define(name, OnDemandElement);
}
