import { closeSync, openSync, writeSync } from 'node:fs';
import * as assert from 'uvu/assert';

/** Writes to this file until its disk is full, to the last byte. */
export function fillDisk(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (const size of [4096, 1]) while (writeSync(file, Buffer.alloc(size)) === size);
  } catch (error) {
    assert.is((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(file);
  }
}
