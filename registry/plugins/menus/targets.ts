import { type Call, type Predicate, and, eq, not, oneOf, or } from '../../../lib/index.ts';
import {
  ADDRESSED,
  type Chain,
  type Ports,
  type PostRecord,
  createTypeRights,
  createVisibleMedia,
  hasPages,
  loadAddresses,
  loadExpansion,
  loadTermAddresses,
  readChain,
  servicesOf,
  toPost,
  toShownTexts,
  toTerm,
  toWebAddress,
} from '../../plugin.ts';

/** What an item leads to. `id` 0: a custom address, or the archive of a type. */
export interface Target {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  /** Path segment of the routes of its kind; '' if it has none. */
  readonly base: string;
  readonly language: string;
}

/** What an item refers to, by the meta keys of WordPress. */
export function toAim({ meta }: Pick<PostRecord, 'meta'>) {
  const id = Number(meta['_menu_item_object_id'] ?? 0);
  return {
    kind: String(meta['_menu_item_type'] ?? 'custom'),
    object: String(meta['_menu_item_object'] ?? ''),
    // A block or an import may name anything.
    id: Number.isSafeInteger(id) ? id : 0,
  };
}

type Found = ReadonlyMap<number, Target>;

/** The records with these ids, each with a rank: the place of its language in the chain. Without stand-ins, any language counts. */
async function loadFound(
  ids: readonly number[],
  chain: Chain,
  load: {
    readonly expand: (ids: readonly number[]) => Promise<(ids: readonly number[]) => readonly number[]>;
    readonly find: (ids: readonly number[]) => Promise<readonly Target[]>;
  },
): Promise<Found> {
  if (ids.length === 0) return new Map();
  const expand = await load.expand(ids);
  const targets = new Map((await load.find(expand(ids))).map((target) => [target.id, target]));
  const placeOf = ({ language }: Target): number =>
    chain.length === 1 || language === '' ? 0 : chain.indexOf(language);
  const best = (id: number): Target | undefined =>
    expand([id])
      .flatMap((each) => targets.get(each) ?? [])
      .filter((each) => placeOf(each) !== -1)
      .toSorted((left, right) => placeOf(left) - placeOf(right))[0];
  return new Map(
    ids.flatMap((id) => {
      const target = best(id);
      return target === undefined ? [] : [[id, target] as const];
    }),
  );
}

/** Most targets that are loaded for one call. What leads to others is left out. */
export const MOST_TARGETS = 1000;

/** Who looks at items, and where. */
type Viewer = Pick<Call, 'args' | 'identity' | 'language' | 'site'>;

/** The targets of items by id of the item. */
export type LoadTargets = (
  items: readonly PostRecord[],
  call: Viewer,
) => Promise<ReadonlyMap<number, Target>>;

/** The target of the archive of a type, and of an address. */
function toPlace(
  types: Ports['content']['types'],
  { meta, language }: PostRecord,
  { site }: Viewer,
): Target | null {
  const { kind, object } = toAim({ meta });
  const type = types.get(object);
  const place = { id: 0, title: '', base: '', language };
  if (kind === 'custom') return { ...place, url: toWebAddress(String(meta['_menu_item_url'] ?? '')) };
  if (kind !== 'post_type_archive' || type === undefined || !type.hasArchive || !hasPages(type)) return null;
  return { ...place, title: type.labels.name, url: `${site.home(language)}/${type.name}/` };
}

/** Finds what the caller may see of the records that items lead to. */
export function createTargets(ports: Ports): LoadTargets {
  const { store, content } = ports;
  const { settings, schedule } = servicesOf(ports);
  const visibleMedia = createVisibleMedia({ store, publishDue: schedule.publishDue }, content);
  const rightsOf = createTypeRights(content);
  const shown = [...content.types.values()].filter((type) => hasPages(type) && type.storage === 'posts');
  const archives = [...content.taxonomies.values()].filter(hasPages);

  const toVisible = ({ identity }: Viewer): Predicate => {
    const readable = shown.map(({ name }) => and(eq('type', name), rightsOf(name).readable(identity)));
    return and(not(eq('status', 'trash')), or(...readable));
  };
  async function findPosts(call: Viewer, ids: readonly number[]): Promise<readonly Target[]> {
    const where = and(oneOf('id', ids), toVisible(call));
    const fields = [...ADDRESSED, 'title'];
    const posts = (await store.find({ collection: 'posts', where, fields })).records.map(toPost);
    const addressOf = await loadAddresses({ store, settings, types: content.types }, posts);
    return posts.map((post) => ({
      id: post.id,
      title: post.title,
      url: addressOf(post, call.site),
      base: content.types.get(post.type)?.base ?? '',
      language: post.language,
    }));
  }
  async function findTerms({ site }: Viewer, ids: readonly number[]): Promise<readonly Target[]> {
    const names = archives.map(({ name }) => name);
    const where = and(oneOf('id', ids), oneOf('taxonomy', names));
    const fields = ['taxonomy', 'slug', 'parent', 'language', 'name'];
    const terms = (await store.find({ collection: 'terms', where, fields })).records.map(toTerm);
    const addressOf = await loadTermAddresses({ store, taxonomies: content.taxonomies }, terms);
    return terms.map((term) => ({
      id: term.id,
      title: toShownTexts('terms', term).name,
      url: addressOf(term, site),
      base: content.taxonomies.get(term.taxonomy)?.base ?? '',
      language: term.language,
    }));
  }
  async function findMedia({ identity, site }: Viewer, ids: readonly number[]): Promise<readonly Target[]> {
    const where = and(oneOf('id', ids), await visibleMedia(identity));
    const { records } = await store.find({ collection: 'media', where, fields: ['title'] });
    const url = (id: number): string => `${site.home()}/?attachment_id=${id}`;
    return records.map((record) => ({
      id: record.id,
      title: String(toShownTexts('media', record)['title']),
      url: url(record.id),
      base: 'media',
      language: '',
    }));
  }

  /** The targets of items by id of the item. An item without one leads to nothing that the caller may see. */
  return async (items: readonly PostRecord[], call: Viewer): Promise<Found> => {
    const chain = readChain(
      call,
      call.args['ml_fallback'] as readonly string[] | undefined,
      await settings(),
    );
    const aims = items.map((item) => ({ item, ...toAim(item) }));
    const idsOf = (kind: string, isFile = false): readonly number[] => [
      ...new Set(
        aims
          .filter((aim) => aim.kind === kind && (aim.object === 'attachment') === isFile)
          .map(({ id }) => id),
      ),
    ];
    const [posts, terms, media] = await Promise.all([
      loadFound(idsOf('post_type'), chain, {
        expand: (ids) => loadExpansion(store, ['posts', 'type'], { ids, chain, visible: toVisible(call) }),
        find: (ids) => findPosts(call, ids),
      }),
      loadFound(idsOf('taxonomy'), chain, {
        expand: (ids) => loadExpansion(store, ['terms', 'taxonomy'], { ids, chain }),
        find: (ids) => findTerms(call, ids),
      }),
      loadFound(idsOf('post_type', true), [''], {
        expand: async () => (ids) => ids,
        find: (ids) => findMedia(call, ids),
      }),
    ]);
    return new Map(
      aims.flatMap(({ item, kind, object, id }) => {
        const found =
          kind === 'taxonomy'
            ? terms.get(id)
            : kind === 'post_type'
              ? (object === 'attachment' ? media : posts).get(id)
              : (toPlace(content.types, item, call) ?? undefined);
        return found === undefined ? [] : [[item.id, found] as const];
      }),
    );
  };
}
