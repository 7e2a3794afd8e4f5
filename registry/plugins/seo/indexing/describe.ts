import { can, type Identity } from '../../../../lib/core/identity.ts';
import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import { withOffset } from '../values/times.ts';
import type { Indexable } from './indexable.ts';

/** Whether the caller may read the index data of this object. Public objects are open to every caller of the route, others to their author and to editors. */
function mayRead({ is_public, author_id }: Indexable, identity: Identity): boolean {
  return is_public || (author_id !== 0 && author_id === identity.id) || can(identity, 'edit_others_posts');
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** An indexable as responses show it. A caller who may not read the object gets only its identifiers. */
export function describeIndexable(indexable: Indexable, siteUrl: string, identity: Identity): Json {
  const { id, object_type, object_sub_type, object_id, language } = indexable;
  const named = { id, object_type, object_sub_type, object_id, language };
  if (!mayRead(indexable, identity)) return named;
  const known = indexable.focus_phrase !== '';
  return {
    ...named,
    author_id: indexable.author_id === 0 ? null : indexable.author_id,
    permalink: indexable.path === '' ? null : `${siteUrl}${indexable.path}`,
    ...indexable.facts,
    post_status: orNull(indexable.post_status),
    is_public: indexable.is_public,
    is_protected: indexable.is_protected,
    is_cornerstone: indexable.is_cornerstone,
    is_robots_noindex: indexable.is_robots_noindex,
    primary_focus_keyword: orNull(indexable.focus_phrase),
    primary_focus_keyword_score: known ? indexable.focus_score : null,
    readability_score: indexable.readability_score,
    link_count: indexable.link_count,
    incoming_link_count: indexable.incoming_link_count,
    object_published_at: orNull(withOffset(indexable.published_gmt)),
    object_last_modified: orNull(withOffset(indexable.modified_gmt)),
    version: indexable.builder_version,
    created_at: withOffset(indexable.created_gmt),
    updated_at: withOffset(indexable.updated_gmt),
  };
}
