/** What the page and the engine's worker say to each other, and what calculators/bridge.py answers. */

/**
 * A file the engine is made of, as builder/engine/engine.py lists it: path below site/engine/, size in bytes as it travels.
 * `end`: it is gzipped, and these are its last eight bytes, a checksum of what is in it.
 */
export interface EngineFile {
  readonly path: string;
  readonly size: number;
  readonly end?: string;
}

/** How a snapshot is unpacked: its length, and where in memory it leaves out what is there anyway, with its sum. */
export interface MemoryInfo {
  readonly length: number;
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly sum: number;
}

/** How Python starts: from the snapshot of its memory, or plainly; a build without Node has no snapshot. */
export type Way = "snapshot" | "plain";

/** All files by what they are for, with what Pyodide wants to know about its own build. */
export interface EngineManifest {
  readonly version: string;
  readonly info: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<"loader" | "glue" | "wasm" | "library" | "calculators", EngineFile>> & {
    readonly snapshot?: EngineFile;
  };
  readonly memory?: MemoryInfo;
}

/** The files that one way needs. */
export function filesFor(way: Way, { files }: EngineManifest): EngineFile[] {
  const own = way === "snapshot" ? [files.snapshot] : [files.library, files.calculators];
  return [files.wasm, ...own, files.glue, files.loader].filter((file) => file !== undefined);
}

/**
 * `base` is the absolute address of site/engine/; `lock` is the name of a lock to hold as long as the worker lives;
 * with `practice` the worker stays ready for more of the kind for a moment.
 */
export type ToWorker =
  | { kind: "start"; way: Way; base: string; manifest: EngineManifest; lock: string }
  | { kind: "ping" }
  | { kind: "ask"; id: number; text: string; practice: boolean };

export type FromWorker =
  | { kind: "held" }
  | { kind: "pong" }
  | { kind: "progress"; loaded: number; total: number }
  | { kind: "starting" }
  | { kind: "live" }
  | { kind: "answer"; id: number; text: string }
  | { kind: "failed"; reason: string };

/** What the page may ask of the service worker (which says "updated" when a new release took over). */
export type ToServiceWorker = "keep the engine" | "keep the engine and its spare" | "check the engine";

export type Texts = Readonly<Record<string, string>>;

/** How one calculator stands: the reader's own texts or a link's fragment, and sliders at a numbered stop. */
export interface Standing {
  readonly given?: Texts;
  readonly fragment?: string;
  readonly stops?: Readonly<Record<string, number>>;
}

/** What to ask about it. What to "explore" comes after the "answer", in slices. */
export type Ask = "answer" | "explore" | "link" | "markdown";

export interface Question extends Standing {
  readonly asks: readonly Ask[];
  readonly calculator: string;
  /** Of which formulas the page shows the Python, with values in it. */
  readonly python?: readonly string[];
  /** How long a slice of an exploration may take; `cursor` goes on with the one whose slice came with it. */
  readonly slice_ms?: number;
  readonly cursor?: number;
}

export interface Difference {
  readonly name: string;
  readonly text: string;
}

export interface Control {
  readonly box: string;
  readonly origin: string;
  readonly word: string;
  readonly note: string;
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
  readonly legend?: Texts;
  readonly picture_note?: string;
  readonly python?: Texts;
  readonly warnings?: readonly string[];
  readonly remarks?: readonly string[];
  readonly sentence?: string;
  readonly swings?: readonly Swing[];
  readonly band?: string;
  readonly advice?: readonly Advice[];
  readonly idle?: Texts;
  readonly cursor?: number;
  readonly link?: string;
  readonly stamped?: string;
  readonly differences?: readonly Difference[];
  readonly groups?: Texts;
  readonly markdown?: string;
}
