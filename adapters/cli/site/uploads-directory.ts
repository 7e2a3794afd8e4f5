import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson } from './read-json.ts';
import { findConfig } from './site-config.ts';

/** The pictures of the demo site. They are served where the library has no file of that name. */
export const DEMO_UPLOADS = fileURLToPath(new URL('../../../../examples/demo-uploads/', import.meta.url));
const FILE = 'file:';

/** The directory of uploads without an option or a configuration that names one: beside the data of a file store, else `./uploads`. */
export function toUploadsDirectory(store: string): string {
  return store.startsWith(FILE) ? join(store.slice(FILE.length), 'uploads') : 'uploads';
}

/** The directory in which `serve` with this store and configuration keeps uploads. */
export async function findUploadsDirectory({
  store,
  config: given,
}: {
  readonly store: string;
  readonly config: string | undefined;
}): Promise<string> {
  const config = findConfig(given);
  const document =
    config === undefined
      ? {}
      : ((await readJson(config)) as { readonly directories?: { readonly media?: string } });
  return document.directories?.media ?? toUploadsDirectory(store);
}
