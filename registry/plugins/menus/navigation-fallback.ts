import type { Call, ExtensionDescriptor } from '../../../lib/index.ts';
import { type PluginSite, type ShownRecord, createRecordLinks, escapeJson, groupBy } from '../../plugin.ts';
import { MANAGE } from './content.ts';

/** The route that an empty block of navigation asks for what it shows. */
export const FALLBACK = {
  namespace: 'cms-block-editor/v1',
  routes: [
    {
      pattern: '/cms-block-editor/v1/navigation-fallback',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'menus.fallback',
          effect: 'write',
          permission: MANAGE,
          tool: false,
          summary: 'Get the navigation of an empty block',
          description:
            'Returns the newest published navigation in the language of the request. If there is none, one is made of the primary menu, or else of all pages.',
          args: {},
          answers: { 200: { type: 'object', properties: { id: { type: 'integer' } } } },
        },
      ],
    },
  ],
} as const satisfies ExtensionDescriptor & { readonly namespace: string };

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
}

/** The attributes of the block of an item, as WordPress names them, without those that are empty. */
const toAttributes = (item: ShownItem): object =>
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
        const attributes = escapeJson(JSON.stringify(toAttributes(item)));
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

/** Handler of the route. */
export const createFallback =
  (site: PluginSite) =>
  async (_args: object, call: Call): Promise<object> => {
    const { identity, language, request } = call;
    const { wire } = site.names.curie;
    const as = { as: identity, language, siteUrl: request.siteUrl };
    const find = (base: string, args: object): Promise<readonly ShownRecord[]> =>
      site.records(base).find({ ml_language: language, ...args }, as);
    const show = ({ id }: Pick<ShownRecord, 'id'>): object => ({ id, _links: linksOf({ id }, call) });
    const [newest] = await find('navigation', { per_page: 1, orderby: 'date', order: 'desc' });
    if (newest !== undefined) return show(newest);
    const [menu] = (await find('menus', { per_page: 100 })).toSorted(
      (left, right) => rankOf(left) - rankOf(right) || right.id - left.id,
    );
    const items = menu === undefined ? [] : await find('menu-items', { menus: [menu.id], per_page: 100 });
    const links = toBlocks(items as readonly ShownItem[], wire);
    const values = {
      title: links === '' ? 'Navigation' : String(menu?.['name']),
      content: links || `<!-- ${wire}:page-list /-->`,
      status: 'publish',
      ml_language: language,
    };
    return show(await site.records('navigation').save(null, values, as));
  };
