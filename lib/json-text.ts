import { engineError } from './errors.ts';
import type { RestError } from './errors.ts';

export const MAX_JSON_DEPTH = 64;
export const MAX_JSON_KEYS = 10_000;
/** Lists and objects, also empty ones: making one takes as long as some ten numbers. */
export const MAX_JSON_NODES = 50_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const END_OF_LIST = 0x5d;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Only text with one of these can hold a key that reaches a prototype, NUL, or half a surrogate pair. */
const SUSPICIOUS = /__proto__|constructor|\\u(?:00|[dD][89a-fA-F])/;

/**
 * Parses JSON that a stranger sent: UTF-8 only, at most 64 levels, 10,000 keys and 50,000 lists and
 * objects (counted before parsing), no NUL, no half surrogate pair, no `__proto__` and no `constructor.prototype`.
 * @throws RestError `rest_invalid_json`
 */
export function parseJson(bytes: Uint8Array): unknown {
  checkSize(bytes);
  const text = decodeUtf8(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(4, 'Syntax error', { cause });
  }
  if (SUSPICIOUS.test(text)) checkContent(value);
  return value;
}

/**
 * Parses a JSON list that stands in a text, up to so many items: what stands behind them is not looked at.
 * @throws RestError `rest_invalid_json`
 */
export function parseJsonList(text: string, most: number): unknown {
  const bytes = Buffer.from(text);
  const end = findEnd(bytes, most);
  if (end === -1) return parseJson(bytes);
  bytes[end] = END_OF_LIST;
  return parseJson(bytes.subarray(0, end + 1));
}

/** @returns the place of the comma behind the item of that number; -1 where the list has no more items. */
function findEnd(bytes: Uint8Array, most: number): number {
  let depth = 0;
  let items = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = skipString(bytes, at);
    else if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === COMMA && depth === 1 && ++items === most) return at;
  }
  return -1;
}

/** One pass over the bytes: quotes, brackets and colons have the same byte in all of UTF-8. */
function checkSize(bytes: Uint8Array): void {
  let depth = 0;
  let keys = 0;
  let nodes = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = skipString(bytes, at);
    else if (byte === 0x5b || byte === 0x7b) { depth++; nodes++; }
    else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === COLON) keys++;
    if (depth > MAX_JSON_DEPTH) throw invalid(1, 'Maximum stack depth exceeded', { message: `The JSON body nests deeper than ${MAX_JSON_DEPTH} levels.` });
  }
  if (keys > MAX_JSON_KEYS) throw engineError('rest_invalid_json', { message: `The JSON body holds ${keys} keys; at most ${MAX_JSON_KEYS} are read.` });
  if (nodes > MAX_JSON_NODES) throw engineError('rest_invalid_json', { message: `The JSON body holds ${nodes} lists and objects; at most ${MAX_JSON_NODES} are read.` });
}

/** @returns the place of the closing quote, or the end. */
function skipString(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw invalid(5, 'Malformed UTF-8 characters, possibly incorrectly encoded', { cause });
  }
}

/** Depth is bounded by then. */
function checkContent(value: unknown): void {
  if (typeof value === 'string') checkText(value);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) checkContent(item);
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    checkText(key);
    const reaches = key === '__proto__' || (key === 'constructor' && typeof child === 'object' && child !== null && Object.hasOwn(child, 'prototype'));
    if (reaches) throw engineError('rest_invalid_json', { message: `The JSON body holds the key "${key}", which is not accepted.` });
    checkContent(child);
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw engineError('rest_invalid_json', { message: 'The JSON body holds a NUL character, which no text may contain.' });
  if (!text.isWellFormed()) throw invalid(10, 'Single unpaired high surrogate in Unicode escape');
}

/** Numbers and texts of the reasons are those that clients of such sites know. */
function invalid(code: number, reason: string, detail: { message?: string; cause?: unknown } = {}): RestError {
  return engineError('rest_invalid_json', { ...detail, data: { json_error_code: code, json_error_message: reason } });
}
