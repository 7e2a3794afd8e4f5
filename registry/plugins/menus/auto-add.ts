import { type Change, and, eq, oneOf } from '../../../lib/index.ts';
import {
  type FieldValue,
  type FieldWrite,
  type PluginSite,
  type ReactionRun,
  servicesOf,
  toPost,
} from '../../plugin.ts';
import { autoAddCollection } from './collections.ts';
import { ITEM, MANAGE } from './content.ts';
import { toAim } from './targets.ts';

const collection = autoAddCollection.name;

/** Whether a change publishes a page at the top. An import brings menus of its own. */
const isNewPage = ({ op, from, fields, before }: Change): boolean =>
  op !== 'remove' &&
  from !== 'import' &&
  fields['type'] === 'page' &&
  fields['parent'] === 0 &&
  fields['status'] === 'publish' &&
  before?.['status'] !== 'publish';

/** The field of menus that get each page when it is published, and what adds it, as in WordPress. */
export function createAutoAdd({ ports, records }: PluginSite) {
  const { store } = ports;
  servicesOf(ports).termBelongings.push((menu) => ({ op: 'removeAll', collection, where: eq('menu', menu) }));

  async function hasPage(menu: number, page: number): Promise<boolean> {
    const where = and(eq('type', ITEM), { op: 'hasAny', field: 'terms', values: [menu] });
    const { records: items } = await store.find({ collection: 'posts', where, fields: ['meta'] });
    return items
      .map((item) => toAim(toPost(item)))
      .some(({ kind, id }) => kind === 'post_type' && id === page);
  }
  const add: ReactionRun = async (changes) => {
    const pages = changes.filter(isNewPage);
    if (pages.length === 0) return;
    const ids = (await store.find({ collection })).records.map(({ menu }) => Number(menu));
    const menus = await store.find({ collection: 'terms', where: oneOf('id', ids), fields: ['language'] });
    for (const { id: page, by, fields } of pages)
      for (const { id: menu, language } of menus.records) {
        // A reaction gets a change at least once.
        if (language !== fields['language'] || (await hasPage(menu, page))) continue;
        const as = { id: by, role: '', capabilities: new Set([MANAGE]) };
        await records('menu-items').save(null, { type: 'post_type', object_id: page, menus: menu }, { as });
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
