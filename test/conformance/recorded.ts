import { readFileSync } from 'node:fs';
import type { Scenario } from '../../adapters/cli/verify/scenario.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';

/** The tests run from `dist/`; the recorded files are not copied there. */
const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../test/conformance/${name}`, import.meta.url), 'utf8'));

/** Content of the recorded site. */
export const fixture = read('fixture.json') as Fixture;

/** The recorded cases. */
export const { scenarios } = read('given.json') as { readonly scenarios: readonly Scenario[] };
