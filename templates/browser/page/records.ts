/** <ai-records>: what it does comes when a page has one, because no other page needs it. */

import type { Engine } from "../engine/engine";

interface Module {
  mount(root: HTMLElement, engine: Engine, signal: AbortSignal): void;
}

/** `script` is the address of the module that brings it to life. */
export function defineRecords(engine: Engine, script: string): void {
  class RecordsElement extends HTMLElement {
    private gone = new AbortController();

    connectedCallback(): void {
      const { signal } = (this.gone = new AbortController());
      void (import(script) as Promise<Module>).then(({ mount }) => {
        if (!signal.aborted) mount(this, engine, signal);
      });
    }

    disconnectedCallback(): void {
      this.gone.abort();
    }
  }
  customElements.define("ai-records", RecordsElement);
}
