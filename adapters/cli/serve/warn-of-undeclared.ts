import cluster from 'node:cluster';
import { own } from '../../../lib/core/objects.ts';
import { eq, not, oneOf, type Predicate, type Store } from '../../../lib/index.ts';
import { findLostMeta, type ContentModel } from '../../../registry/site.ts';
import { note } from '../frame/output.ts';

/** Names that are listed. Each one is a read of its own. */
const MOST_NAMES = 20;

/** Further values of a field of the records, by name. */
async function listOthers(
  store: Store,
  [collection, field]: readonly [collection: string, field: string],
  declared: ReadonlyMap<string, unknown>,
): Promise<readonly string[]> {
  const isOther = (...names: readonly string[]): Predicate =>
    not(oneOf(field, [...declared.keys(), ...names]));
  // A count reads an index alone, whereas the first record that fits is looked for among all of them.
  if ((await store.find({ collection, where: isOther(), limit: 0, fields: [], total: true })).total === 0)
    return [];
  const found: string[] = [];
  while (found.length < MOST_NAMES) {
    const {
      records: [other],
    } = await store.find({ collection, where: isOther(...found), limit: 1, fields: [field] });
    if (other === undefined) break;
    found.push(String(own(other, field)));
  }
  return found.toSorted();
}

const list = (what: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${what} ${names.join(', ')}`];

/** Types that only a site with the core controllers serves. */
async function listUnserved(store: Store, types: ContentModel['types']): Promise<readonly string[]> {
  const names = [...types.values()].filter(({ served }) => !served).map(({ name }) => name);
  const found = await Promise.all(
    names.map((type) =>
      store.find({ collection: 'posts', where: eq('type', type), limit: 0, fields: [], total: true }),
    ),
  );
  return names.filter((_name, index) => (found[index]?.total ?? 0) > 0);
}

/** Says in one line which content of the store is shown to nobody, because the site does not declare its types. Processes that share a port say it once. */
export async function warnOfUndeclared(store: Store, content: ContentModel): Promise<void> {
  const { types, taxonomies } = content;
  if (cluster.isWorker) return;
  const unserved = await listUnserved(store, types);
  if (unserved.length > 0)
    note(
      `warning: the store holds records of the type ${unserved.join(', ')}, which are shown to nobody, because this start is without the core controllers. Start with --content core, or with "core": true in the content of --config.`,
    );
  const lost = await findLostMeta(store, content);
  if (lost.length > 0)
    note(
      `warning: the last start declared the meta keys ${lost.join(', ')}. Values that are stored under them are shown to nobody now. If a key has another name, "was" in its declaration, or routebook meta rename OF OLD NEW, moves its values.`,
    );
  const undeclared = [
    ...list('of the type', await listOthers(store, ['posts', 'type'], types)),
    ...list('of the taxonomy', await listOthers(store, ['terms', 'taxonomy'], taxonomies)),
  ];
  if (undeclared.length > 0)
    note(
      `warning: the store holds records ${undeclared.join(' and ')}, which are shown to nobody, because the site does not declare them. Start with the --config or the --fixtures that declares them (docs/content-types.md).`,
    );
}
