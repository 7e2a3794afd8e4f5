import { and, type Change, eq, hasAny, oneOf, RestError } from '../../../lib/index.ts';
import {
  type FieldValue,
  type FieldWrite,
  own,
  type PluginSite,
  type ReactionRun,
  servicesOf,
  toPost,
} from '../../plugin.ts';
import { autoAddCollection, ITEM, MANAGE } from './content.ts';
import { toAim } from './targets.ts';

const collection = autoAddCollection.name;

/** A published page at the top. */
const NEW = { type: 'page', parent: 0, status: 'publish' } as const;

/** Whether a change publishes a page at the top. An import brings menus of its own. */
const isNewPage = ({ op, from, fields, before }: Change): boolean =>
  op !== 'remove' &&
  from !== 'import' &&
  Object.entries(NEW).every(([field, wanted]) => own(fields, field) === wanted) &&
  before?.['status'] !== 'publish';

/** The page or the menu went meanwhile. */
const GONE = new Set(['rest_object_invalid_id', 'invalid_menu_id']);

/** The field of menus that get each page when it is published, and what adds it, as in WordPress. */
export function createAutoAdd({ ports, records }: PluginSite) {
  const { store } = ports;
  servicesOf(ports).termBelongings.push((menu) => ({ op: 'removeAll', collection, where: eq('menu', menu) }));

  async function hasPage(menu: number, page: number): Promise<boolean> {
    const where = and(eq('type', ITEM), hasAny('terms', [menu]));
    const { records: items } = await store.find({ collection: 'posts', where, fields: ['meta'] });
    return items
      .map((item) => toAim(toPost(item)))
      .some(({ kind, id }) => kind === 'post_type' && id === page);
  }
  async function addOnce(menu: number, { id: page, by }: Change): Promise<void> {
    // A reaction gets a change at least once.
    if (await hasPage(menu, page)) return;
    const as = { id: by, role: '', capabilities: new Set([MANAGE]) };
    try {
      await records('menu-items').save(null, { type: 'post_type', object_id: page, menus: menu }, { as });
    } catch (error) {
      if (!(error instanceof RestError && GONE.has(error.code))) throw error;
    }
  }
  const add: ReactionRun = async (changes, { signal }) => {
    const pages = changes.filter(isNewPage);
    if (pages.length === 0) return;
    const ids = (await store.find({ collection })).records.map(({ menu }) => Number(menu));
    const menus = await store.find({ collection: 'terms', where: oneOf('id', ids), fields: ['language'] });
    const still = and(
      oneOf(
        'id',
        pages.map(({ id }) => id),
      ),
      ...Object.entries(NEW).map(([field, wanted]) => eq(field, wanted)),
    );
    const found = await store.find({ collection: 'posts', where: still, fields: ['language'] });
    const languageOf = new Map(found.records.map(({ id, language }) => [id, language]));
    for (const page of pages)
      for (const { id: menu, language } of menus.records) {
        // What another process has taken over is not done here: it would be added twice.
        signal.throwIfAborted();
        if (languageOf.get(page.id) === language) await addOnce(menu, page);
      }
  };
  const value: FieldValue = async (menus) => {
    const ids = menus.map(({ id }) => id);
    const rows = (await store.find({ collection, where: oneOf('menu', ids) })).records;
    return new Map(ids.map((id) => [id, rows.some(({ menu }) => menu === id)]));
  };
  const write = (isOn: boolean, id: Parameters<FieldWrite>[1]['id']): ReturnType<FieldWrite> => [
    ...(typeof id === 'number' ? [{ op: 'removeAll', collection, where: eq('menu', id) } as const] : []),
    ...(isOn ? [{ op: 'create', collection, values: { menu: id } } as const] : []),
  ];
  return {
    'menus.auto_add.run': add,
    'menus.auto_add.value': value,
    'menus.auto_add.write': ((isOn, { id }) => write(isOn, id)) as FieldWrite,
  };
}
