/** The engine's downloads, in the worker: all begun at once, every byte counted and the file checked as it arrives. */

import type { EngineFile } from "./messages";

/** What files begin with, by the end of their names. */
const FIRST_BYTES: Readonly<Record<string, readonly number[]>> = {
  wasm: [0x00, 0x61, 0x73, 0x6d], // "\0asm"
  zip: [0x50, 0x4b, 0x03, 0x04], // "PK", then the first file's header
};
const REPORT_EVERY_MS = 40;

export class Downloads {
  /** Rejects when any file turns out unusable. Pyodide itself would wait for ever in most of these cases. */
  readonly failed: Promise<never>;
  private fail: (reason: Error) => void = () => {};
  private readonly begun = new Map<string, Promise<Response>>();
  private loaded = 0;
  private reported = 0;

  constructor(
    private readonly total: number,
    private readonly report: (loaded: number, total: number) => void,
  ) {
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => {}); // whoever races against it hears of it
  }

  /** From now on `fetch` of a file that was begun here gives that one download, whoever asks. */
  serve(scope: { fetch: typeof fetch }): void {
    const network = scope.fetch.bind(scope);
    scope.fetch = (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input, location.href).href;
      const response = this.begun.get(url);
      this.begun.delete(url);
      return response ?? network(input, init);
    };
  }

  /** Begin to fetch a file. */
  begin(url: string, file: EngineFile): void {
    const response = this.fetched(url, file);
    response.catch((error: unknown) => this.fail(error as Error));
    this.begun.set(url, response);
  }

  /** Import a module whose bytes cannot be watched; it counts when it is there. */
  async module<Module>(url: string, file: EngineFile): Promise<Module> {
    try {
      const module = (await import(url)) as Module;
      this.count(file.size);
      return module;
    } catch (error) {
      const broken = error instanceof SyntaxError ? "is damaged" : "could not be loaded";
      throw new Error(`${name(file)} ${broken}`, { cause: error });
    }
  }

  private async fetched(url: string, file: EngineFile): Promise<Response> {
    const response = await fetch(url).catch((error: unknown) => {
      throw new Error(`${name(file)} could not be loaded`, { cause: error });
    });
    if (!response.ok || !response.body) throw new Error(`${name(file)} could not be loaded (${response.status})`);
    const type = file.path.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(response.body.pipeThrough(this.checked(file)), { headers: { "content-type": type } });
  }

  private checked(file: EngineFile): TransformStream<Uint8Array, Uint8Array> {
    const first = FIRST_BYTES[file.path.split(".").at(-1) ?? ""] ?? [];
    let received = 0;
    const refuse = (what: string, controller: TransformStreamDefaultController): void => {
      const error = new Error(`${name(file)} ${what}`);
      this.fail(error);
      controller.error(error);
    };
    return new TransformStream({
      transform: (chunk, controller) => {
        const wanted = first.slice(received, received + chunk.length);
        if (wanted.some((byte, place) => chunk[place] !== byte)) {
          return refuse("is not what it should be", controller);
        }
        received += chunk.length;
        this.count(chunk.length);
        controller.enqueue(chunk);
      },
      flush: (controller) => {
        if (received !== file.size) refuse("arrived incomplete", controller);
      },
    });
  }

  private count(bytes: number): void {
    this.loaded += bytes;
    const now = performance.now();
    if (now - this.reported < REPORT_EVERY_MS && this.loaded < this.total) return;
    this.reported = now;
    this.report(this.loaded, this.total);
  }
}

function name(file: EngineFile): string {
  return file.path.slice(file.path.lastIndexOf("/") + 1);
}
