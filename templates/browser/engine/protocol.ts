/** What the engine is made of (builder/engine/engine.py), and what page, worker and service worker say of it. */

/** Text in, text out: calculators/bridge.py. */
export type Respond = (text: string) => string;

/**
 * A file the engine is made of: path below site/engine/, size in bytes as it travels. `end`: it is gzipped, and these
 * are its last eight bytes, a checksum of what is in it. `unpacked`: how the service worker keeps it.
 */
export interface EngineFile {
  readonly path: string;
  readonly size: number;
  readonly end?: string;
  readonly unpacked?: { readonly path: string; readonly size: number };
}

/**
 * The snapshot's memory: its length, the ranges that the image fills, and where in it the calculators' `respond` and
 * four bytes for the length of an answer are.
 */
export interface SnapshotInfo {
  readonly length: number;
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly respond: number;
  readonly size: number;
}

/** How Python starts: as the snapshot that the build made, or plainly; a build without Node has no snapshot. */
export type Way = "snapshot" | "plain";

/** All files by what they are for, with what Pyodide needs to know about its own build. */
export interface EngineManifest {
  readonly version: string;
  readonly info: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<"loader" | "glue" | "wasm" | "library" | "calculators", EngineFile>> & {
    readonly snapshot?: EngineFile;
    readonly image?: EngineFile;
  };
  readonly snapshot?: SnapshotInfo;
}

/** The files that one way needs. */
export function filesFor(way: Way, { files }: EngineManifest): EngineFile[] {
  const { snapshot, image, wasm, library, calculators, glue, loader } = files;
  const needed = way === "snapshot" ? [snapshot, image] : [wasm, library, calculators, glue, loader];
  return needed.filter((file) => file !== undefined);
}

/**
 * `base` is the absolute address of site/engine/; `isServed` says that a service worker answers, which may keep files;
 * `lock` is the name of a lock to hold as long as the worker lives; `facts` are the reader's own, as a file's text.
 */
export interface Start {
  readonly kind: "start";
  readonly way: Way;
  readonly base: string;
  readonly manifest: EngineManifest;
  readonly isServed: boolean;
  readonly lock: string;
  readonly facts: string;
}

export type ToWorker =
  | Start
  | { kind: "ping" }
  | { kind: "ask"; id: number; text: string };

export type FromWorker =
  | { kind: "held" }
  | { kind: "pong" }
  | { kind: "progress"; loaded: number; total: number }
  | { kind: "starting" }
  | { kind: "live" }
  | { kind: "answer"; id: number; text: string }
  | { kind: "failed"; reason: string };

/** What the page may ask of the service worker (which says "updated" when a new release took over). */
export type ToServiceWorker =
  | "keep the engine"
  | "keep the engine and its spare"
  | "keep the pages"
  | "check the engine"
  | "take over"
  | { readonly askedFor: number }; // when this page was, in milliseconds since 1970: was it before the new release?
