import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedDocuments } from '../../../../registry/core/post-views/show-posts.ts';

/** Requests the keys one after the other. @returns those whose document was not cached */
function ask(documents: CachedDocuments, keys: readonly string[]): readonly string[] {
  const written: string[] = [];
  for (const key of keys) {
    const document = Buffer.from(`{"é":"${key}"}`);
    const given = documents.find(key);
    if (given === undefined) {
      written.push(key);
      documents.keep(key, document);
    } else assert.equal(given, document);
  }
  return written;
}

const kept = suite('kept documents');

kept('are written once', () => {
  const documents = new CachedDocuments({ entries: 10, bytes: 1000 });
  assert.equal(ask(documents, ['a', 'b', 'a', 'b', 'c']), ['a', 'b', 'c']);
});

kept('are no more than the limit; the older half goes first', () => {
  const documents = new CachedDocuments({ entries: 4, bytes: 1000 });
  ask(documents, ['a', 'b', 'c', 'd']);
  assert.equal(ask(documents, ['d', 'c', 'b', 'a']), []);
  ask(documents, ['e']);
  assert.equal(ask(documents, ['c', 'd', 'e']), []);
  assert.equal(ask(documents, ['a', 'b']), ['a', 'b']);
});

kept('take no more bytes than the limit', () => {
  // Each document takes ten bytes.
  const documents = new CachedDocuments({ entries: 100, bytes: 40 });
  ask(documents, ['a', 'b', 'c', 'd']);
  assert.equal(ask(documents, ['a', 'b', 'c', 'd']), []);
  ask(documents, ['e']);
  assert.equal(ask(documents, ['c', 'd', 'e']), []);
  assert.equal(ask(documents, ['a', 'b']), ['a', 'b']);
});

kept('are none that would take half of the room', () => {
  const documents = new CachedDocuments({ entries: 100, bytes: 19 });
  assert.equal(ask(documents, ['a', 'a']), ['a', 'a']);
});
kept.run();
