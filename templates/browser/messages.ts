/** What the page and the engine's worker say to each other, and what calculators/bridge.py answers. */

/** A file the engine is made of, as builder/engine.py lists it: path below site/engine/, size in bytes, unpacked. */
export interface EngineFile {
  readonly path: string;
  readonly size: number;
}

/** All of them by what they are for, with what Pyodide wants to know about its own build. */
export interface EngineManifest {
  readonly version: string;
  readonly info: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<"loader" | "glue" | "wasm" | "library" | "calculators", EngineFile>>;
}

/** `base` is the absolute address of site/engine/; `lock` is the name of a lock to hold as long as the worker lives. */
export type ToWorker =
  | { kind: "start"; base: string; manifest: EngineManifest; lock: string }
  | { kind: "ping" }
  | { kind: "ask"; id: number; texts: readonly string[] };

export type FromWorker =
  | { kind: "held" }
  | { kind: "pong" }
  | { kind: "progress"; loaded: number; total: number }
  | { kind: "starting" }
  | { kind: "live" }
  | { kind: "answer"; id: number; texts: readonly string[] }
  | { kind: "failed"; reason: string };

/** What the page may ask of the service worker (which says "updated" when a new release took over). */
export type ToServiceWorker = "keep the engine" | "check the engine";

export type Texts = Readonly<Record<string, string>>;

/** How one calculator stands: the reader's own texts or a link's fragment, and sliders at a numbered stop. */
export interface Standing {
  readonly given?: Texts;
  readonly fragment?: string;
  readonly stops?: Readonly<Record<string, number>>;
}

/** What to ask about it. An "answer" and what to "explore" are asked together, so that a page changes all at once. */
export type Ask = "answer" | "explore" | "markdown";

export interface Question extends Standing {
  readonly asks: readonly Ask[];
  readonly calculator: string;
}

export interface Control {
  readonly box: string;
  readonly origin: string;
  readonly text: string;
  readonly stop?: number;
}

export interface Swing {
  readonly label: string;
  readonly hedge: string;
  readonly result: string;
  readonly x: string;
  readonly width: string;
  readonly now: string;
}

export interface Advice {
  readonly label: string;
  readonly outcome: string;
  readonly changes: Texts;
}

/** The answers to all that was asked, in one. A field is there only where it was asked for and could be computed. */
export interface Answer {
  readonly failure?: string;
  readonly given?: Texts;
  readonly notices?: readonly string[];
  readonly problems?: Texts;
  readonly texts?: Texts;
  readonly also?: Texts;
  readonly verdicts?: Readonly<Record<string, { level: string; word: string; reason: string }>>;
  readonly controls?: Readonly<Record<string, Control>>;
  readonly presets?: Texts;
  readonly picture?: Readonly<Record<string, Texts>>;
  readonly python?: Texts;
  readonly warnings?: readonly string[];
  readonly sentence?: string;
  readonly swings?: readonly Swing[];
  readonly band?: string;
  readonly advice?: readonly Advice[];
  readonly link?: string;
  readonly markdown?: string;
}
