/** Records saved in this browser: in its local storage, as one list, the newest first. Nothing is sent anywhere. */

import type { Recorded } from "../messages";

/** A saved record: the reader's words, and the record that Python made of them. */
export interface StoredRecord {
  readonly id: string;
  readonly of: string;
  readonly fragment: string;
  readonly title: string;
  readonly notes: string;
  readonly alternatives: readonly string[];
  readonly record: Recorded;
}

const KEY = "infrastructure-for-ai.records";

export function all(): StoredRecord[] {
  try {
    return read(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return []; // storage is switched off, or holds something else
  }
}

/** Save a record, replacing the one with its id. Throws when the storage is full. */
export function put(stored: StoredRecord): void {
  write([stored, ...all().filter(({ id }) => id !== stored.id)]);
}

export function remove(id: string): void {
  write(all().filter((stored) => stored.id !== id));
}

/** All records as the text of a file. */
export function exported(): string {
  return `${JSON.stringify(all(), null, 1)}\n`;
}

/** Import the records of such a file; returns how many. Throws if it holds something else. */
export function importFrom(text: string): number {
  const found = read(text);
  const ids = new Set(found.map(({ id }) => id));
  write([...found, ...all().filter(({ id }) => !ids.has(id))]);
  return found.length;
}

function write(list: readonly StoredRecord[]): void {
  localStorage.setItem(KEY, JSON.stringify(list));
}

function read(text: string): StoredRecord[] {
  const found: unknown = JSON.parse(text);
  if (!Array.isArray(found) || !found.every(isStoredRecord)) throw new Error("no records");
  return found;
}

function isStoredRecord(value: unknown): value is StoredRecord {
  if (!isObject(value) || !isObject(value["record"])) return false;
  const { record } = value;
  const named = ["id", "of", "fragment", "title", "notes"].every((key) => typeof value[key] === "string");
  const made = ["title", "calculator", "day", "version", "link"].every((key) => typeof record[key] === "string");
  return named && made && isTexts(value["alternatives"]) && isList(record["sections"], isSection) && isFiles(record["files"]);
}

function isSection(value: unknown): boolean {
  if (!isObject(value)) return false;
  const texts = ["heading", "more", "key"].every((key) => typeof value[key] === "string");
  const drawn = value["drawings"] === undefined || isTexts(value["drawings"]);
  return texts && drawn && isTexts(value["texts"]) && isTexts(value["columns"]) && isList(value["rows"], isTexts);
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
