import {
  type ArgsOf,
  findFirst,
  and,
  type Call,
  can,
  createErrors,
  desc,
  eq,
  type ErrorTable,
  hasAny,
  type Json,
  type Operation,
  type Order,
  type Store,
  type StoredRecord,
} from '../../../lib/index.ts';
import {
  type Draft,
  type Ports,
  type PostRecord,
  checkBounds,
  claimTree,
  isObject,
  own,
  servicesOf,
  toPost,
  toStamp,
  toStoredTexts,
  toWebAddress,
} from '../../plugin.ts';
import { ITEM, MENU, menuOf } from './content.ts';
import type { WRITE } from './routes.ts';
import { toAim, type LoadTargets } from './targets.ts';

/** Errors of menu items and of the locations of menus. */
export const MENU_ERRORS = {
  rest_cannot_view: ['denied', 'Sorry, you are not allowed to view menus.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit menu items.'],
  rest_forbidden_status: ['denied', 'Sorry, you are not allowed to view menu items that are not published.'],
  rest_cannot_create: ['denied', 'Sorry, you are not allowed to create menu items.'],
  rest_cannot_edit: ['denied', 'Sorry, you are not allowed to edit this menu item.'],
  rest_cannot_delete: ['denied', 'Sorry, you are not allowed to delete this menu item.'],
  rest_post_invalid_id: [404, 'Invalid menu item ID.'],
  rest_trash_not_supported: [501, "Menu items do not support trashing. Set 'force=true' to delete."],
  rest_title_required: [400, 'The title is required when using a custom menu item type.'],
  rest_url_required: [400, 'The url is required when using a custom menu item type.'],
  rest_url_invalid: [400, 'url: must be relative or have a safe scheme, such as https.'],
  rest_object_invalid_id: [400, 'object_id: there is no such record.'],
  rest_post_invalid_type: [400, 'object: there is no such post type.'],
  rest_post_type_no_archive: [400, 'object: this post type has no archive.'],
  invalid_menu_id: [400, 'menus: there is no such menu.'],
  rest_invalid_menu_location: [400, 'locations: the site has no such menu location.'],
  rest_menu_location_invalid: [404, 'Invalid menu location.'],
  rest_menu_item_invalid_parent: [
    400,
    'parent: must be another item of the same menu that is not below this one.',
  ],
} as const satisfies ErrorTable;

export const menuError = createErrors(MENU_ERRORS);

/** The arguments of a write. */
export type ItemArgs = ArgsOf<typeof WRITE>;

type Values = Readonly<Record<string, Json>>;

/** Members that are given, under the names of the store. */
const given = (members: Readonly<Record<string, Json | undefined>>): Values =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Values;

const toClass = (name: string): string => name.replaceAll(/[^\w-]/g, '');
/** Items above an item. Deeper menus are not checked for circles. */
const MOST_DEPTH = 50;

/** The menu; null for none. @throws RestError `invalid_menu_id` */
async function loadMenu(store: Store, id: number): Promise<StoredRecord | null> {
  const found = id === 0 ? null : await store.get('terms', id);
  if (id !== 0 && found?.['taxonomy'] !== MENU) throw menuError('invalid_menu_id');
  return found;
}

/** @throws RestError `rest_menu_item_invalid_parent` */
async function checkParent(
  store: Store,
  parent: number,
  { own, menu }: { readonly own: number; readonly menu: number },
): Promise<void> {
  for (let [next, depth] = [parent, 0]; next !== 0 && depth < MOST_DEPTH; depth += 1) {
    const found = next === own ? null : await store.get('posts', next);
    if (found?.['type'] !== ITEM || menuOf(toPost(found)) !== menu)
      throw menuError('rest_menu_item_invalid_parent');
    next = Number(found['parent']);
  }
}

const leavesMenu = ({ menus }: ItemArgs, current: PostRecord): boolean =>
  menus !== undefined && menus !== menuOf(current);

/** Whether a write moves an item below another one, or into another menu. */
export const isMoved = (args: ItemArgs, current: PostRecord | null): boolean => {
  const { parent = 0 } = args;
  return current !== null && ((parent > 0 && parent !== current.parent) || leavesMenu(args, current));
};

/** The items below one that leaves its menu move up. */
export async function raiseChildren(store: Store, { id, parent }: PostRecord): Promise<readonly Operation[]> {
  const where = and(eq('type', ITEM), eq('parent', id));
  const { records } = await store.find({ collection: 'posts', where, fields: [] });
  return records.map((child) => ({
    op: 'update',
    collection: 'posts',
    id: child.id,
    version: child.version,
    values: { parent },
  }));
}

async function nextPlace(store: Store, menu: number): Promise<number> {
  const where = and(eq('type', ITEM), hasAny('terms', [menu]));
  const order: readonly Order[] = [desc('menu_order')];
  const found = await findFirst(store, {
    collection: 'posts',
    where,
    order,
    fields: ['menu_order'],
  });
  return Number(found?.['menu_order'] ?? 0) + 1;
}

/** Plans a write; `current` is null for a new item. @throws RestError for a target, parent or menu that does not exist, and for a custom item without title or address */
export type PlanItem = (call: Call, args: ItemArgs, current: PostRecord | null) => Promise<Draft>;

/** Creates a `PlanItem`. */
export function createPlanItem(ports: Ports, loadTargets: LoadTargets): PlanItem {
  const { store, content, now } = ports;
  const { settings } = servicesOf(ports);

  /** The name of the type or taxonomy of a target. @throws RestError for a target that the caller cannot see */
  async function toObject(call: Call, meta: Values): Promise<string> {
    const { kind, object, id } = toAim({ meta });
    if (kind === 'custom') return kind;
    const type = content.types.get(object);
    if (kind === 'post_type_archive' && type?.hasArchive !== true)
      throw menuError(type === undefined ? 'rest_post_invalid_type' : 'rest_post_type_no_archive');
    const item = { id: 0, language: call.language, meta } as unknown as PostRecord;
    if (!(await loadTargets([item], call)).has(0)) throw menuError('rest_object_invalid_id');
    if (kind === 'post_type_archive' || object === 'attachment') return object;
    const [collection, field] = kind === 'taxonomy' ? ['terms', 'taxonomy'] : ['posts', 'type'];
    return String(own((await store.get(collection, id)) ?? {}, field) ?? object);
  }
  async function toMeta(call: Call, args: ItemArgs, current: PostRecord | null): Promise<Values> {
    const former = current?.meta ?? { _menu_item_type: 'custom' };
    const meta = {
      ...former,
      ...given({
        _menu_item_type: args.type,
        _menu_item_object: args.object,
        _menu_item_object_id: args.object_id,
        _menu_item_target: args.target,
        _menu_item_classes: args.classes?.map(toClass),
        _menu_item_xfn: args.xfn?.map(toClass).join(' '),
        _menu_item_url: args.url === undefined ? undefined : toWebAddress(args.url),
      }),
    };
    // A client may send back what it has read, also after the target has gone.
    const isSame = JSON.stringify(toAim({ meta })) === JSON.stringify(toAim({ meta: former }));
    return current !== null && isSame ? meta : { ...meta, _menu_item_object: await toObject(call, meta) };
  }
  return async (call, args, current) => {
    const { title, description: text, attr_title: excerpt, status, parent, menu_order: order } = args;
    // A new item has none below it, so it makes no circle.
    const claimed = isMoved(args, current) ? [await claimTree(store, ITEM)] : [];
    const menu = args.menus === undefined ? undefined : await loadMenu(store, args.menus);
    const former = current === null ? 0 : menuOf(current);
    const place = { own: current?.id ?? 0, menu: args.menus ?? former };
    if (parent !== undefined || place.menu !== former)
      await checkParent(store, parent ?? current?.parent ?? 0, place);
    const meta = await toMeta(call, args, current);
    const texts = toStoredTexts(
      'posts',
      given({ title: isObject(title) ? title.raw : title, content: text, excerpt }),
      can(call.identity, 'unfiltered_html'),
    );
    if (toAim({ meta }).kind === 'custom') {
      if ((texts['title'] ?? current?.title ?? '') === '') throw menuError('rest_title_required');
      if ((meta['_menu_item_url'] ?? '') === '')
        throw menuError((args.url ?? '').trim() === '' ? 'rest_url_required' : 'rest_url_invalid');
    }
    const { date, date_gmt } = toStamp(now(), (await settings()).zone);
    const fresh = { type: ITEM, status: 'publish', language: call.language, author: call.identity.id };
    const values = {
      ...(current === null ? { ...fresh, date, date_gmt } : {}),
      ...texts,
      ...given({
        status,
        parent,
        menu_order: order ?? (current === null ? await nextPlace(store, args.menus ?? 0) : undefined),
        terms: menu === undefined ? undefined : menu === null ? [] : [menu.id],
        language: menu?.['language'] as string | undefined,
      }),
      meta,
      modified: date,
      modified_gmt: date_gmt,
    };
    checkBounds('posts', values, current ?? undefined);
    const raised = current !== null && leavesMenu(args, current) ? await raiseChildren(store, current) : [];
    return { values, also: [...claimed, ...raised] };
  };
}
