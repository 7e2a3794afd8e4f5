import {
  type Call,
  type Identity,
  type Order,
  type Permission,
  type Predicate,
  type RestError,
  type RestResponse,
  and,
  can,
  eq,
  not,
  oneOf,
} from '../../../lib/index.ts';
import {
  type PlainCollection,
  type Ports,
  type PostRecord,
  claimTree,
  inTreeTurn,
  listBelongings,
  servicesOf,
  subjectOf,
  toOffset,
  toPost,
} from '../../plugin.ts';
import { ITEM, MANAGE } from './content.ts';
import { menuError } from './errors.ts';
import { createItemCollection } from './item-view.ts';
import { type LoadTargets, MOST_TARGETS } from './targets.ts';
import { createPlanItem, isMoved, type ItemArgs, raiseChildren } from './values.ts';

export const manages = (identity: Identity): boolean => can(identity, MANAGE);

/** The arguments of a list. */
export interface ListArgs {
  readonly context: string;
  readonly page: number;
  readonly per_page: number;
  readonly search?: string;
  readonly exclude: readonly number[];
  readonly include: readonly number[];
  readonly offset?: number;
  readonly order: 'asc' | 'desc';
  readonly orderby: string;
  readonly status: readonly string[];
  readonly menus: readonly number[];
  readonly menus_exclude: readonly number[];
  readonly menu_order?: number;
}

function toWhere(args: ListArgs, { language }: Call): Predicate {
  const { include, exclude, menus, menus_exclude: without, status, menu_order: order } = args;
  const search = (args.search ?? '').trim();
  return and(
    eq('type', ITEM),
    oneOf('status', status.includes('any') ? ['publish', 'draft'] : status),
    ...(menus.length > 0 ? [{ op: 'hasAny', field: 'terms', values: menus } as const] : []),
    ...(menus.length + include.length === 0 ? [eq('language', language)] : []),
    ...(without.length > 0 ? [not({ op: 'hasAny', field: 'terms', values: without })] : []),
    ...(include.length > 0 ? [oneOf('id', include)] : []),
    ...(exclude.length > 0 ? [not(oneOf('id', exclude))] : []),
    ...(order === undefined ? [] : [eq('menu_order', order)]),
    ...(search === '' ? [] : [{ op: 'contains', field: 'title', text: search } as const]),
  );
}

function toOrder({ orderby, order: direction, include }: ListArgs): readonly Order[] {
  return orderby === 'include'
    ? [{ list: { field: 'id', values: include }, direction }]
    : [
        { field: orderby, direction },
        { field: 'id', direction: 'asc' },
      ];
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
  const handlers = {
    'menus.items.list': async (args: ListArgs, call: Call): Promise<RestResponse> => {
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
    'menus.items.create': async (args: ItemArgs, call: Call) =>
      items.one(call, await items.create(call, () => plan(call, args, null)), {
        context: 'edit',
        status: 201,
      }),
    'menus.items.read': async ({ context }: { readonly context: string }, call: Call) => {
      const [item] = await listVisible([subjectOf<PostRecord>(call)], call);
      if (item === undefined) throw menuError('rest_post_invalid_id');
      return items.one(call, item, { context });
    },
    'menus.items.update': async (args: ItemArgs, call: Call) => {
      const toDraft = (current: PostRecord) => plan(call, args, current);
      const current = subjectOf<PostRecord>(call);
      const update = () => items.update(call, current, { refuse: mayEdit, toDraft });
      const item = await (isMoved(args, current) ? inTreeTurn(store, ITEM, update) : update());
      return items.one(call, item, { context: 'edit' });
    },
    'menus.items.remove': ({ force }: { readonly force: boolean }, call: Call) => {
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
