import {
  type ArgsOf,
  and,
  asc,
  type Call,
  can,
  contains,
  eq,
  type Handlers,
  hasAny,
  type Identity,
  not,
  oneOf,
  type Order,
  type Permission,
  type Predicate,
  type RestError,
} from '../../../lib/index.ts';
import {
  claimTree,
  createRecordLinks,
  createRecordRenderer,
  inTreeTurn,
  listBelongings,
  perNames,
  PlainCollection,
  type Ports,
  type PostRecord,
  prepareLink,
  type Renderers,
  renderTitle,
  servicesOf,
  subjectOf,
  toOffset,
  toPost,
} from '../../plugin.ts';
import { ITEM, MANAGE, menuOf } from './content.ts';
import { createPlanItem, isMoved, menuError, raiseChildren } from './plan-item.ts';
import { type EXTENSION, ITEM_RESOURCE } from './routes.ts';
import { type LoadTargets, MOST_TARGETS, type Target, toAim } from './targets.ts';

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
function createItemCollection(ports: Ports, loadTargets: LoadTargets): PlainCollection<PostRecord> {
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

export const manages = (identity: Identity): boolean => can(identity, MANAGE);

/** The arguments of a list. */
export type ListArgs = ArgsOf<(typeof EXTENSION.routes)[0]['endpoints'][0]['args']>;

function toWhere(args: ListArgs, { language }: Call): Predicate {
  const { include, exclude, menus, menus_exclude: without, status, menu_order: order } = args;
  const search = (args.search ?? '').trim();
  return and(
    eq('type', ITEM),
    oneOf('status', status.includes('any') ? ['publish', 'draft'] : status),
    ...(menus.length > 0 ? [hasAny('terms', menus)] : []),
    ...(menus.length + include.length === 0 ? [eq('language', language)] : []),
    ...(without.length > 0 ? [not(hasAny('terms', without))] : []),
    ...(include.length > 0 ? [oneOf('id', include)] : []),
    ...(exclude.length > 0 ? [not(oneOf('id', exclude))] : []),
    ...(order === undefined ? [] : [eq('menu_order', order)]),
    ...(search === '' ? [] : [contains('title', search)]),
  );
}

function toOrder({ orderby, order: direction, include }: ListArgs): readonly Order[] {
  return orderby === 'include'
    ? [{ list: { field: 'id', values: include }, direction }]
    : [{ field: orderby, direction }, asc('id')];
}

type Refusal = (call: Call) => RestError | null;

const refuse =
  (code: 'rest_cannot_create' | 'rest_cannot_edit' | 'rest_cannot_delete'): Refusal =>
  ({ identity }) =>
    manages(identity) ? null : menuError(code);
const [mayMake, mayEdit, mayRemove] = [
  refuse('rest_cannot_create'),
  refuse('rest_cannot_edit'),
  refuse('rest_cannot_delete'),
];

/** Permission functions by id. `maySee`: who reads menus. */
function createItemPermissions(
  items: PlainCollection<PostRecord>,
  maySee: (identity: Identity) => boolean,
): Readonly<Record<string, Permission>> {
  const see: Permission = ({ context, status = ['publish'] }, { identity }) => {
    if (manages(identity)) return true;
    if (!maySee(identity)) return menuError('rest_cannot_view');
    if (context === 'edit') return menuError('rest_forbidden_context');
    return (status as readonly string[]).every((each) => each === 'publish')
      ? true
      : menuError('rest_forbidden_status');
  };
  const find = items.permission('id', ({ identity }, { status }) =>
    status === 'publish' || manages(identity) ? null : menuError('rest_post_invalid_id'),
  );
  return {
    'menus.items.see': see,
    'menus.items.find': (args, call) => {
      const verdict = see(args, call);
      return verdict === true ? find(args, call) : verdict;
    },
    'menus.items.make': (_args, call) => mayMake(call) ?? true,
    'menus.items.change': items.permission('id', mayEdit),
    'menus.items.discard': items.permission('id', mayRemove),
  };
}
/** Handlers and permissions of menu items. */
export function createItems(
  ports: Ports,
  {
    loadTargets,
    maySee,
  }: { readonly loadTargets: LoadTargets; readonly maySee: (identity: Identity) => boolean },
) {
  const { store } = ports;
  const { publishDue } = servicesOf(ports).schedule;
  const items = createItemCollection(ports, loadTargets);
  const plan = createPlanItem(ports, loadTargets);

  /** Those whose target the caller may see. Who manages menus sees all. */
  async function listVisible(records: readonly PostRecord[], call: Call): Promise<readonly PostRecord[]> {
    await publishDue();
    if (manages(call.identity)) return records;
    const targets = await loadTargets(records, call);
    return records.filter(({ id }) => targets.has(id));
  }
  const handlers: Pick<
    Handlers<typeof EXTENSION>,
    `menus.items.${'list' | 'create' | 'read' | 'update' | 'remove'}`
  > = {
    'menus.items.list': async (args, call) => {
      const { page, per_page: perPage, context, offset } = args;
      const [where, order] = [toWhere(args, call), toOrder(args)];
      if (manages(call.identity)) return items.list(call, { where, order, context, page, perPage, offset });
      const fields = ['meta', 'language'];
      const candidates = { collection: 'posts', where, order, fields, limit: MOST_TARGETS };
      const { records } = await store.find(candidates, call);
      const visible = await listVisible(records.map(toPost), call);
      const from = toOffset({ page, perPage, offset });
      const ids = visible.slice(from, from + perPage).map(({ id }) => id);
      const found = await store.find({ collection: 'posts', where: oneOf('id', ids), order }, call);
      return items.page(call, found.records.map(toPost), {
        context,
        page,
        perPage,
        total: visible.length,
        from,
      });
    },
    'menus.items.create': async (args, call) =>
      items.one(call, await items.create(call, () => plan(call, args, null)), {
        context: 'edit',
        status: 201,
      }),
    'menus.items.read': async ({ context }, call) => {
      const [item] = await listVisible([subjectOf<PostRecord>(call)], call);
      if (item === undefined) throw menuError('rest_post_invalid_id');
      return items.one(call, item, { context });
    },
    'menus.items.update': async (args, call) => {
      const toDraft = (current: PostRecord) => plan(call, args, current);
      const current = subjectOf<PostRecord>(call);
      const update = () => items.update(call, current, { refuse: mayEdit, toDraft });
      const item = await (isMoved(args, current) ? inTreeTurn(store, ITEM, update) : update());
      return items.one(call, item, { context: 'edit' });
    },
    'menus.items.remove': ({ force }, call) => {
      if (!force) throw menuError('rest_trash_not_supported');
      return items.remove(call, subjectOf<PostRecord>(call), {
        refuse: mayRemove,
        context: 'edit',
        also: async (item) => {
          const raised = await raiseChildren(store, item);
          const claimed = raised.length === 0 ? [] : [await claimTree(store, ITEM)];
          return [...listBelongings(item.id), ...claimed, ...raised];
        },
      });
    },
  };
  return { ...handlers, ...createItemPermissions(items, maySee) };
}
