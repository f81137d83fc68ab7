/** The engine's downloads, in the worker: bytes are counted, files checked and unpacked as they arrive. */

import type { EngineFile } from "./protocol";

/** What files begin with, by the end of their names. */
const FIRST_BYTES: Readonly<Record<string, readonly number[]>> = {
  zip: [0x50, 0x4b, 0x03, 0x04], // "PK", then the first file's header
};
const GZIP = [0x1f, 0x8b];
const END_BYTES = 8;
const REPORT_EVERY_MS = 40;

export class Downloads {
  /** Rejects when a file is unusable: Pyodide itself would mostly wait without end. */
  readonly failed: Promise<never>;
  private fail: (reason: Error) => void = () => {};
  private loaded = 0;
  private reported = 0;

  constructor(
    private readonly base: string,
    private readonly total: number,
    private readonly isServed: boolean,
    private readonly report: (loaded: number, total: number) => void,
  ) {
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => {}); // callers race against it
  }

  /** Fetch a file; its unpacked content arrives while it is read. */
  file(file: EngineFile): Promise<Response> {
    const response = this.kept(file).then((found) => found ?? this.fetched(file));
    response.catch((error: unknown) => this.fail(error as Error));
    return response;
  }

  /** Import a module, whose bytes cannot be counted before it is there. */
  async module<Module>(file: EngineFile): Promise<Module> {
    try {
      const module = (await import(this.address(file))) as Module;
      this.count(file.size);
      return module;
    } catch (error) {
      const broken = error instanceof SyntaxError ? "is damaged" : "could not be loaded";
      throw new Error(`${name(file)} ${broken}`, { cause: error });
    }
  }

  private address(file: EngineFile): string {
    return new URL(file.path, this.base).href;
  }

  /** The unpacked file, if the service worker keeps it. */
  private async kept({ unpacked, size }: EngineFile): Promise<Response | undefined> {
    if (!unpacked || !this.isServed) return undefined;
    const address = new URL(unpacked.path, this.base).href;
    const cacheName = `engine of ${new URL("../", this.base).href}`;
    // Browsers find compiled code by its address alone; everything else comes faster straight from the cache.
    const isCode = address.endsWith(".wasm");
    const look = isCode ? fetch(address) : caches.match(address, { cacheName, ignoreVary: true });
    const found = await look.catch(() => undefined);
    if (found?.status !== 200) return undefined;
    this.count(size);
    return found;
  }

  private async fetched(file: EngineFile): Promise<Response> {
    const response = await fetch(this.address(file)).catch((error: unknown) => {
      throw new Error(`${name(file)} could not be loaded`, { cause: error });
    });
    if (!response.ok || !response.body) throw new Error(`${name(file)} could not be loaded (${response.status})`);
    const checked = response.body.pipeThrough(this.checked(file));
    // Compressed by the build, for servers that compress nothing, under a type that no server would unpack.
    const content = file.end === undefined ? checked : checked.pipeThrough(new DecompressionStream("gzip"));
    const type = file.path.includes(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(content, { headers: { "content-type": type } });
  }

  private checked(file: EngineFile): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    const first = file.end === undefined ? FIRST_BYTES[file.path.split(".").at(-1) ?? ""] : GZIP;
    let received = 0;
    let end: number[] = [];
    const refuse = (what: string, controller: TransformStreamDefaultController): void => {
      const error = new Error(`${name(file)} ${what}`);
      this.fail(error);
      controller.error(error);
    };
    return new TransformStream({
      transform: (chunk, controller) => {
        const expected = first?.slice(received, received + chunk.length) ?? [];
        if (expected.some((byte, index) => chunk[index] !== byte)) {
          return refuse("has unexpected content", controller);
        }
        received += chunk.length;
        end = [...end, ...chunk.subarray(-END_BYTES)].slice(-END_BYTES);
        this.count(chunk.length);
        controller.enqueue(chunk);
      },
      flush: (controller) => {
        const found = end.map((byte) => byte.toString(16).padStart(2, "0")).join("");
        if (received !== file.size) refuse("arrived incomplete", controller);
        else if (file.end !== undefined && found !== file.end) refuse("has unexpected content", controller);
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
