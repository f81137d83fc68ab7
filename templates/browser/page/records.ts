/** <ai-records>: its script is loaded only on the page that has one. */

import type { Engine } from "../engine/engine";

interface Module {
  mount(root: HTMLElement, engine: Engine, signal: AbortSignal): void;
}

/** `script` is the address of the module. */
export function defineRecords(engine: Engine, script: string): void {
  class RecordsElement extends HTMLElement {
    private disconnected = new AbortController();

    connectedCallback(): void {
      const { signal } = (this.disconnected = new AbortController());
      void (import(script) as Promise<Module>).then(({ mount }) => {
        if (!signal.aborted) mount(this, engine, signal);
      });
    }

    disconnectedCallback(): void {
      this.disconnected.abort();
    }
  }
  customElements.define("ai-records", RecordsElement);
}
