import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeptTexts } from '../../../registry/cms/kept-texts.ts';

/** Asks for the keys, one after the other. @returns those whose text had to be made. */
function ask(texts: KeptTexts, keys: readonly string[], text = 'text'): readonly string[] {
  const made: string[] = [];
  for (const key of keys) {
    const given = texts.get(key, () => {
      made.push(key);
      return `${text} ${key}`;
    });
    assert.is(given, `${text} ${key}`);
  }
  return made;
}

const kept = suite('kept texts');

kept('are made once', () => {
  const texts = new KeptTexts({ entries: 10, characters: 1000 });
  assert.equal(ask(texts, ['a', 'b', 'a', 'b', 'c']), ['a', 'b', 'c']);
});

kept('are no more than the limit; the oldest go first', () => {
  const texts = new KeptTexts({ entries: 3, characters: 1000 });
  ask(texts, ['a', 'b', 'c', 'd']);
  assert.equal(ask(texts, ['d', 'c', 'b']), []);
  assert.equal(ask(texts, ['a']), ['a']);
  assert.equal(ask(texts, ['b']), ['b']);
});

kept('take no more room than the limit, keys included', () => {
  // Each takes 7 characters: its key and `text k`.
  const texts = new KeptTexts({ entries: 100, characters: 21 });
  ask(texts, ['a', 'b', 'c']);
  assert.equal(ask(texts, ['a', 'b', 'c']), []);
  assert.equal(ask(texts, ['d']), ['d']);
  assert.equal(ask(texts, ['b', 'c', 'd']), []);
  assert.equal(ask(texts, ['a']), ['a']);
});

kept('a text larger than all the room is given, and nothing is kept', () => {
  const texts = new KeptTexts({ entries: 100, characters: 5 });
  assert.equal(ask(texts, ['a', 'a']), ['a', 'a']);
});
kept.run();
