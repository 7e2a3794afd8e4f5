import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../adapters/memory-store.ts';
import { createServer, HTTP_LIMITS } from '../adapters/node-http.ts';
import { createEngine } from '../lib/index.ts';
import { collections, createSite } from '../registry/index.ts';
import {
  describeOptions,
  listEngineOptions,
  listServerLimits,
  listServerOptions,
  listSiteOptions,
} from './support/option-list.ts';
import { PROJECT } from './support/sources.ts';

/** The names of the options that a function knows, as its refusal of another one lists them. */
async function listKnown(refuse: () => unknown): Promise<readonly string[]> {
  try {
    await refuse();
  } catch (error) {
    const [, names = ''] = /members are ([\w, ]+)/.exec(String(error)) ?? [];
    return names.split(', ').sort();
  }
  throw new Error('not refused');
}

const options = suite('docs/options.md');

options('says what the docstrings of the options say', () => {
  assert.ok(
    readFileSync(`${PROJECT}docs/options.md`, 'utf8') === describeOptions(),
    'node dist/test/scripts/option-documents.js writes it again',
  );
});

/** `8 KiB`, `1,000`, `5 minutes` as a number of bytes, things or milliseconds. */
function toNumber(text: string): number {
  const [count = '', unit = ''] = text.replaceAll(',', '').split(' ');
  const UNITS: Readonly<Record<string, number>> = {
    KiB: 1024,
    MiB: 1024 ** 2,
    ms: 1,
    s: 1000,
    minutes: 60_000,
  };
  return Number(count) * (unit === '' ? 1 : (UNITS[unit] ?? Number.NaN));
}

options('has the limits of servers with the values that they have', () => {
  const said = listServerLimits().map(({ name, doc }) => [
    name,
    toNumber(/Default (.*)\.$/.exec(doc)?.[1] ?? ''),
  ]);
  assert.equal(Object.fromEntries(said), { ...HTTP_LIMITS });
});

options('has every option that is taken, and no other', async () => {
  const unknown = { optoin: 1 } as object;
  const toNames = (members: readonly { readonly name: string }[]): readonly string[] =>
    members.map(({ name }) => name).sort();
  assert.equal(toNames(listEngineOptions()), await listKnown(() => createEngine(unknown)));
  assert.equal(
    toNames(listSiteOptions()),
    await listKnown(() => createSite({ store: createMemoryStore(collections), ...unknown })),
  );
  assert.equal(toNames(listServerOptions()), await listKnown(() => createServer(createEngine(), unknown)));
});

options.run();
