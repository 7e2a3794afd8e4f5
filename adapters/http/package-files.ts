import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { codeOf } from '../../lib/core/thrown.ts';
import type { HostTools } from '../../lib/http/host.ts';

const { resolve } = createRequire(import.meta.url);

/** Folder of an installed package; null: it is not installed. */
function findPackage(name: string): string | null {
  try {
    return dirname(resolve(`${name}/package.json`));
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** What a host gets from every adapter of this package. */
export const HOST_TOOLS: HostTools = {
  async readPackageFile(name, path) {
    const folder = findPackage(name);
    return folder === null ? null : readFile(join(folder, path));
  },
};
