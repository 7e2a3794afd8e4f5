import { isObject, own } from '../../lib/core/objects.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { Operation } from '../../lib/store/store.ts';
import { toCredentials } from '../site/fixture-credentials.ts';
import { toFixtureOperations, type Fixture } from '../site/fixture.ts';
import type { Found } from './item.ts';
import type { ReadContext } from './read-context.ts';

async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** Gives every created record an id, and replaces references to labels by these ids. */
function* toItems(operations: readonly Operation[]): Generator<Found> {
  const ids = new Map<string, number>();
  let lastMade = 0;
  for (const operation of operations) {
    if (operation.op !== 'create') continue;
    const {
      collection,
      values: { id: given, ...values },
      as: label,
    } = operation;
    if (typeof given !== 'number') lastMade -= 1;
    const id = typeof given === 'number' ? given : lastMade;
    if (label !== undefined) ids.set(label, id);
    const resolved = Object.entries(values).map(([name, value]): [string, Json] => {
      const ref = isObject(value) ? own(value, '$ref') : undefined;
      return [name, typeof ref === 'string' ? (ids.get(ref) ?? 0) : (value as Json)];
    });
    yield {
      item: { place: label ?? `${collection} ${id}`, collection, id, values: Object.fromEntries(resolved) },
    };
  }
}

/** Reads a fixture, which is one document and is read whole. @throws TypeError with the place of the first mistake */
export async function* readFixtureItems(
  bytes: AsyncIterable<Uint8Array>,
  { languages, content }: ReadContext,
): AsyncGenerator<Found> {
  const document = JSON.parse(await readText(bytes)) as unknown;
  const operations = toFixtureOperations(document, { languages, model: content });
  yield* toItems([...operations, ...(await toCredentials(document as Fixture))]);
}
