import { type Permission, can } from '../../../../lib/index.ts';
import { type Ports, createTypeRights, toPost } from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { seoError } from '../values/errors.ts';
import { toMembers, toNumber } from '../values/json.ts';
import { findMeta, toMetaKey } from '../values/meta.ts';

const LIMIT = 25;
/** Members of a stored record that are not editor's fields. */
const OWN: ReadonlySet<string> = new Set(['id', 'version', 'object_type', 'object_id']);

type Plain = string | number | boolean;

function isPlain(value: unknown): value is Plain {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Allows callers who may edit the post. Anonymous callers do not learn whether the post exists. */
export function createMetaPermission({ store, content }: Pick<Ports, 'store' | 'content'>): Permission {
  const rightsOf = createTypeRights(content);
  return async ({ post_id }, { identity }) => {
    if (!can(identity, 'edit_posts')) return false;
    const record = await store.get('posts', toNumber(post_id));
    if (record === null) return seoError('post_not_found');
    const post = toPost(record);
    return rightsOf(post.type).mayEdit(identity, post);
  };
}

/** Suggests names of a post's custom fields: its own and, as `seo_*`, its editor's fields. */
export function createMetaSearchHandlers({ ports: { store } }: SeoDeps): HandlerGroup<'seo.meta.search'> {
  return {
    'seo.meta.search': async ({ post_id, query = '' }) => {
      const post = await store.get('posts', post_id);
      if (post === null) throw seoError('post_not_found');
      const { meta, version } = (await findMeta(store, 'post', [post_id]))(post_id);
      const said =
        version === 0
          ? []
          : Object.entries(meta)
              .filter(([key, value]) => !OWN.has(key) && value !== '' && value !== false)
              .map(([key, value]) => [toMetaKey(key), value] as const);
      // The post's own values win, as in its head, unless they are empty.
      const own = Object.entries(toMembers(post['meta']));
      const all: readonly (readonly [string, unknown])[] = [
        ...new Map([...own, ...said, ...own.filter(([, value]) => value !== '')]),
      ];
      const wanted = all.filter(([key]) => (query === '' ? !key.startsWith('_') : key.startsWith(query)));
      const rows = wanted.flatMap(([key, value]) => (isPlain(value) ? [{ key, value }] : []));
      return { meta: rows.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, LIMIT) };
    },
  };
}
