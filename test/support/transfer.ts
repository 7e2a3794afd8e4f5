import { createReadStream } from 'node:fs';
import type { Store } from '../../lib/store/store.ts';
import { toZone } from '../../registry/core/content/site-time.ts';
import { collectionsOf, type ContentModel, createContentModel } from '../../registry/index.ts';
import { importItems, type ImportOptions } from '../../registry/transfer/import-items.ts';
import type { ReadContext } from '../../registry/transfer/items/read-context.ts';
import type { ImportReport } from '../../registry/transfer/items/report.ts';
import { readWxr } from '../../registry/transfer/wxr/read-wxr.ts';

/** A text as a file arrives: in chunks of a few bytes that cut words and characters. */
export async function* inChunks(text: string | Uint8Array, size = 61): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export function toContext(content: ContentModel): ReadContext {
  return {
    content,
    languages: ['nl', 'en', 'fr'],
    language: 'en',
    zone: toZone('UTC'),
    role: 'subscriber',
    statuses: new Map(),
    started: '2026-11-01T10:00:00',
  };
}

export const coreModel = createContentModel('core');

/** Imports a WXR file into a store that was made for the content. */
export function importWxr(
  store: Store,
  file: AsyncIterable<Uint8Array>,
  { content = coreModel, name = 'test', ...more }: Partial<ImportOptions> & { readonly name?: string } = {},
): Promise<ImportReport> {
  return importItems(
    { name, found: readWxr(file, toContext(content)) },
    { store, content, collections: collectionsOf(content), ...more },
  );
}

/** A file of the recorded cases. */
export function openRecorded(name: string): AsyncIterable<Uint8Array> {
  return createReadStream(new URL(`../../../test/conformance/core/${name}`, import.meta.url));
}
