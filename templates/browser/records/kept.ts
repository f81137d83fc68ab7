/** Records kept in this browser: in its local storage, as one list, the newest first. Nothing is sent anywhere. */

import type { Recorded } from "../messages";

/** A record as it was kept: what the reader said of it, and what Python made of that. */
export interface Kept {
  readonly id: string;
  readonly of: string;
  readonly fragment: string;
  readonly title: string;
  readonly notes: string;
  readonly alternatives: readonly string[];
  readonly record: Recorded;
}

const PLACE = "infrastructure-for-ai.records";

export function all(): Kept[] {
  try {
    return read(localStorage.getItem(PLACE) ?? "[]");
  } catch {
    return []; // a browser that keeps nothing, or something else stands there
  }
}

/** Keep this one, in the place of the one with its id. Throws where the browser keeps no more. */
export function keep(kept: Kept): void {
  write([kept, ...all().filter(({ id }) => id !== kept.id)]);
}

export function remove(id: string): void {
  write(all().filter((kept) => kept.id !== id));
}

/** All of them as the text of a file. */
export function exported(): string {
  return `${JSON.stringify(all(), null, 1)}\n`;
}

/** Take over what such a file holds; how many there were. Throws where it holds something else. */
export function imported(text: string): number {
  const found = read(text);
  const ids = new Set(found.map(({ id }) => id));
  write([...found, ...all().filter(({ id }) => !ids.has(id))]);
  return found.length;
}

function write(list: readonly Kept[]): void {
  localStorage.setItem(PLACE, JSON.stringify(list));
}

function read(text: string): Kept[] {
  const found: unknown = JSON.parse(text);
  if (!Array.isArray(found) || !found.every(isKept)) throw new Error("no records");
  return found;
}

function isKept(value: unknown): value is Kept {
  if (!isObject(value) || !isObject(value["record"])) return false;
  const { record } = value;
  const said = ["id", "of", "fragment", "title", "notes"].every((key) => typeof value[key] === "string");
  const made = ["title", "calculator", "day", "version", "link"].every((key) => typeof record[key] === "string");
  return said && made && isTexts(value["alternatives"]) && isList(record["sections"], isSection) && isFiles(record["files"]);
}

function isSection(value: unknown): boolean {
  if (!isObject(value)) return false;
  const texts = ["heading", "more", "key"].every((key) => typeof value[key] === "string");
  return texts && isTexts(value["texts"]) && isTexts(value["columns"]) && isList(value["rows"], isTexts);
}

function isFiles(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((text) => typeof text === "string");
}

function isTexts(value: unknown): boolean {
  return isList(value, (text) => typeof text === "string");
}

function isList(value: unknown, each: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(each);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
