import { type Call, and, can, eq, oneOf } from '../../../lib/index.ts';
import {
  PlainCollection,
  type Ports,
  type PostRecord,
  type Renderers,
  createRecordLinks,
  createRecordRenderer,
  perNames,
  prepareLink,
  renderTitle,
  servicesOf,
  toPost,
} from '../../plugin.ts';
import { ITEM, MANAGE, menuOf } from './content.ts';
import { menuError } from './errors.ts';
import { ITEM_RESOURCE } from './routes.ts';
import { toAim, type LoadTargets, type Target } from './targets.ts';

/** An item, and its target; undefined if the caller may not see it. */
interface ItemView {
  readonly item: PostRecord;
  readonly target: Target | undefined;
  readonly call: Call;
  /** Name of its kind. */
  readonly label: string;
  /** The item above it that the caller may see; 0: none. */
  readonly parent: number;
}

const titleOf = ({ item, target }: ItemView): string =>
  item.title === '' ? (target?.title ?? '') : item.title;
const textOf = ({ item: { meta } }: ItemView, key: string): string => String(meta[`_menu_item_${key}`] ?? '');
const listOf = ({ item: { meta } }: ItemView): readonly unknown[] => {
  const list = meta['_menu_item_classes'];
  return Array.isArray(list) && list.length > 0 ? list : [''];
};

const RENDERERS: Renderers<ItemView> = {
  id: ({ item }) => item.id,
  title: { raw: titleOf, rendered: (view) => renderTitle(titleOf(view)) },
  status: ({ item }) => item.status,
  url: ({ target }) => target?.url ?? '',
  attr_title: ({ item }) => item.excerpt,
  description: ({ item }) => item.content,
  type: ({ item }) => toAim(item).kind,
  type_label: ({ label }) => label,
  object: ({ item }) => toAim(item).object || 'custom',
  object_id: ({ item, target }) => {
    const { kind, id } = toAim(item);
    return target?.id || (kind === 'custom' ? item.id : id);
  },
  parent: ({ parent }) => parent,
  menu_order: ({ item }) => item.menu_order,
  target: (view) => textOf(view, 'target'),
  classes: listOf,
  xfn: (view) => textOf(view, 'xfn').split(' '),
  invalid: ({ target }) => target === undefined,
  menus: ({ item }) => menuOf(item),
  ml_language: ({ item, target }) => target?.language || item.language,
  ml_fallback_of: ({ target, call }) =>
    call.args['ml_fallback'] === undefined || ['', call.language].includes(target?.language ?? '')
      ? undefined
      : call.language,
};

const targetOf = perNames((names) =>
  prepareLink('cms:menu-item-object', { href: '/cms/v2/{base}/{id}', embeddable: true }, names),
);

/** The collection of menu items. */
export function createItemCollection(ports: Ports, loadTargets: LoadTargets): PlainCollection<PostRecord> {
  const { store, content, log } = ports;
  const { nextDue } = servicesOf(ports).schedule;
  const labelOf = (item: PostRecord): string => {
    const { kind, object } = toAim(item);
    if (kind === 'custom') return 'Custom Link';
    if (kind === 'post_type_archive') return 'Post Type Archive';
    const named = kind === 'taxonomy' ? content.taxonomies : content.types;
    return named.get(object)?.labels.singular ?? '';
  };
  const linksOf = createRecordLinks(ITEM_RESOURCE.links);
  const render = createRecordRenderer<ItemView>(ITEM_RESOURCE.properties, RENDERERS, {
    links: ({ item, target, call }) => {
      const links = linksOf({ id: item.id, menus: menuOf(item) }, call);
      const { relation, toLink } = targetOf(call.site.names);
      if (target !== undefined && target.base !== '') links[relation] = [toLink(call.site, { ...target })];
      return links;
    },
    onFault: ({ item }, { field, error }) =>
      log({ level: 'error', message: `${field} of menu item ${item.id} could not be rendered`, error }),
  });
  /** The items above these, where the caller may not see all. */
  async function findParents(
    items: readonly PostRecord[],
    call: Call,
  ): Promise<readonly PostRecord[] | null> {
    if (can(call.identity, MANAGE)) return null;
    const ids = [...new Set(items.map(({ parent }) => parent))];
    const where = and(oneOf('id', ids), eq('type', ITEM), eq('status', 'publish'));
    const found = await store.find({ collection: 'posts', where, fields: ['meta', 'language'] });
    return found.records.map(toPost);
  }
  return new PlainCollection<PostRecord>({
    store,
    collection: 'posts',
    isServed: ({ type }) => type === ITEM,
    missing: () => menuError('rest_post_invalid_id'),
    pathOf: ({ id }) => `/cms/v2/menu-items/${id}`,
    until: () => nextDue(),
    show: async (records, { call, context }) => {
      const parents = await findParents(records, call);
      const targets = await loadTargets([...records, ...(parents ?? [])], call);
      const known = parents && new Set(parents.flatMap(({ id }) => (targets.has(id) ? [id] : [])));
      // As in WordPress, an item below one that is left out stands at the top.
      const parentOf = ({ parent }: PostRecord): number => (known?.has(parent) === false ? 0 : parent);
      const { names } = call.site;
      return (item, fields) =>
        render(
          { item, target: targets.get(item.id), call, label: labelOf(item), parent: parentOf(item) },
          { context, names, fields },
        );
    },
  });
}
