import { readFile } from 'node:fs/promises';
import { messageOf } from '../../../lib/core/thrown.ts';
import { describeError } from '../frame/system-errors.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** A longer text may exceed the longest string. */
const MOST_BYTES = 256 * 1024 * 1024;
const POSITION = /at position (\d+)/;

/** Whether `JSON.parse` reads all of the text before it fails, so that more text could make it valid. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position] = POSITION.exec(message) ?? [];
    return position === undefined ? message.includes('end of JSON input') : Number(position) >= text.length;
  }
}

/** The length of the longest prefix that could be the beginning of JSON. Not every message of `JSON.parse` has a position. */
function findFault(text: string): number {
  let [good, bad] = [0, text.length];
  if (isBeginning(text)) return text.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** `line 3, column 7`, counted from 1. */
function toPlace(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new TypeError(`${toPlace(text, findFault(text))}: ${message.replace(/ at position .*/, '')}`, {
      cause: error,
    });
  }
}

/** The text of a file in UTF-8, with or without a byte order mark. */
function toText(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new TypeError('the file is empty');
  if (bytes.length > MOST_BYTES) throw new TypeError('the file is larger than 256 MiB');
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new TypeError('the file is not valid UTF-8', { cause: error });
  }
}

/** Throws an error again with the name of the file before its message. @throws TypeError */
export const failIn =
  (file: string | URL) =>
  (error: unknown): never => {
    throw new TypeError(`${String(file)}: ${messageOf(error)}`, { cause: error });
  };

/** Adds the name of the file to the message of an error. @throws TypeError */
export function inFile<T>(file: string | URL, check: () => T): T {
  try {
    return check();
  } catch (error) {
    return failIn(file)(error);
  }
}

/** Reads a JSON file. @throws TypeError with the file, the error and its place */
export async function readJson(file: string | URL): Promise<unknown> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new TypeError(describeError(error, String(file)), { cause: error });
  });
  return inFile(file, () => parse(toText(bytes)));
}
