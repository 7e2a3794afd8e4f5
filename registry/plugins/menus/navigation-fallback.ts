import { setTimeout as pause } from 'node:timers/promises';
import { ANONYMOUS, type Call, oneOf } from '../../../lib/index.ts';
import {
  type PluginSite,
  type ShownRecord,
  createRecordLinks,
  escapeJson,
  groupBy,
  runLocked,
  toPost,
} from '../../plugin.ts';
import type { LoadTargets } from './targets.ts';

const linksOf = createRecordLinks({ self: { href: '/cms/v2/navigation/{id}', embeddable: true } });

interface ShownItem extends ShownRecord {
  readonly title: { readonly rendered: string };
  readonly type: string;
  readonly object: string;
  readonly object_id: number;
  readonly parent: number;
  readonly url: string;
  readonly target: string;
  readonly classes: readonly string[];
  readonly xfn: readonly string[];
  readonly attr_title: string;
  readonly description: string;
  /** Whether everybody may read its target. */
  readonly isOpen: boolean;
}

/** Of a target that not everybody may read: the block shows title and address to those who may. */
const toHidden = ({ object_id: id, type, object }: ShownItem): object => ({
  id,
  kind: type.replaceAll('_', '-'),
  type: object,
});

/** The attributes of the block of an item, as WordPress names them, without those that are empty. */
const toOpen = (item: ShownItem): object =>
  Object.fromEntries(
    Object.entries({
      className: item.classes.join(' '),
      description: item.description,
      id: item.type === 'custom' ? 0 : item.object_id,
      kind: item.type.replaceAll('_', '-'),
      label: item.title.rendered,
      opensInNewTab: item.target === '_blank',
      rel: item.xfn.join(' '),
      title: item.attr_title,
      type: item.object,
      url: item.url,
    }).filter(([, value]) => Boolean(value)),
  );

/** Items as blocks, each with those below it. `prefix`: of the names of blocks on the wire. */
function toBlocks(items: readonly ShownItem[], prefix: string): string {
  const below = groupBy(items, ({ parent }) => parent);
  const show = (parent: number): string =>
    (below.get(parent) ?? [])
      .map((item) => {
        const inner = show(item.id);
        const attributes = escapeJson(JSON.stringify(item.isOpen ? toOpen(item) : toHidden(item)));
        return inner === ''
          ? `<!-- ${prefix}:navigation-link ${attributes} /-->`
          : `<!-- ${prefix}:navigation-submenu ${attributes} -->${inner}<!-- /${prefix}:navigation-submenu -->`;
      })
      .join('');
  return show(0);
}

/** Of these menus, WordPress takes the one at the place `primary`, else that with this slug, else the newest. */
const rankOf = ({ locations, slug }: ShownRecord): number =>
  (locations as readonly string[]).includes('primary') ? 0 : slug === 'primary' ? 1 : 2;

const PER_PAGE = 100;
const LEASE_MS = 10_000;
const LOOK_MS = 25;

/** Handler of the route. */
export const createFallback =
  (site: PluginSite, loadTargets: LoadTargets) =>
  async (_args: object, call: Call): Promise<object> => {
    const { identity, language, request, signal } = call;
    const { ports, names } = site;
    const as = { as: identity, language, siteUrl: request.siteUrl };
    const find = (base: string, args: object): Promise<readonly ShownRecord[]> =>
      site.records(base).find({ ml_language: language, ...args }, as);
    async function findAll(base: string, args: object = {}): Promise<readonly ShownRecord[]> {
      const all: ShownRecord[] = [];
      for (;;) {
        const page = await find(base, { ...args, per_page: PER_PAGE, offset: all.length });
        all.push(...page);
        if (page.length < PER_PAGE) return all;
      }
    }
    const findNewest = async (): Promise<ShownRecord | undefined> =>
      (await find('navigation', { per_page: 1, orderby: 'date', order: 'desc' }))[0];
    async function make(): Promise<ShownRecord> {
      const [menu] = (await findAll('menus')).toSorted(
        (left, right) => rankOf(left) - rankOf(right) || right.id - left.id,
      );
      const items = menu === undefined ? [] : await findAll('menu-items', { menus: [menu.id] });
      const where = oneOf(
        'id',
        items.map(({ id }) => id),
      );
      const { records } = await ports.store.find({
        collection: 'posts',
        where,
        fields: ['meta', 'language'],
      });
      const open = await loadTargets(records.map(toPost), {
        site: call.site,
        language,
        args: {},
        identity: ANONYMOUS,
      });
      const links = toBlocks(
        items.map((item) => Object.assign(item, { isOpen: open.has(item.id) }) as ShownItem),
        names.curie.wire,
      );
      const values = {
        title: links === '' ? 'Navigation' : String(menu?.['name']),
        content: links || `<!-- ${names.curie.wire}:page-list /-->`,
        status: 'publish',
        ml_language: language,
      };
      return site.records('navigation').save(null, values, as);
    }
    let newest = await findNewest();
    // Several at once, in any process, make one.
    while (newest === undefined) {
      const lock = { name: `navigation ${language}`, ttlMs: LEASE_MS, signal };
      const isFree = await runLocked(ports, lock, async () => {
        newest = (await findNewest()) ?? (await make());
      });
      if (!isFree) {
        await pause(LOOK_MS, undefined, { signal });
        newest = await findNewest();
      }
    }
    const { id } = newest;
    return { id, _links: linksOf({ id }, call) };
  };
