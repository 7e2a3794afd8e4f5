// docs/identity.md describes the members of `Identity`, and no other.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROJECT } from '../support/sources.ts';

const read = (file: string): string => readFileSync(`${PROJECT}${file}`, 'utf8');

const page = suite('docs/identity.md');

page('names each member of Identity and whether it may be absent', () => {
  const [, members = ''] = /export interface Identity \{([^]*?)\n\}/.exec(read('lib/core/identity.ts')) ?? [];
  const declared = [...members.matchAll(/^ {2}readonly (\w+)(\??):/gm)].map(([, name, optional]) => [
    name,
    optional === '?',
  ]);
  const described = [...read('docs/identity.md').matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(
    ([, name, type = '']) => [name, type.includes('optional')],
  );
  assert.ok(declared.length > 0);
  assert.equal(described, declared);
});

page.run();
