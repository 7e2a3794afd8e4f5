import { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, eq } from '../../../lib/store/query.ts';
import { loadLinkParts, permalink } from '../addresses/permalink.ts';
import { renderTitle } from '../content/render/render.ts';
import { subjectPost } from '../post-views/permissions.ts';
import type { KindDeps } from '../post-views/post-deps.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';
import { listByLanguage } from '../translations/translation-links.ts';

/** Handler of the translations of one post, in the order of the site's languages. */
export function createListTranslations({ store, kind, settings, content, nextDue }: KindDeps) {
  const load = async (post: PostRecord, { identity }: Call): Promise<readonly PostRecord[]> => {
    if (post.group === 0) return [post];
    const { records } = await store.find({
      collection: 'posts',
      where: and(eq('group', post.group), eq('type', kind.type.name), kind.rights.readable(identity)),
    });
    return records.map(toPost).filter(({ status, id }) => status !== 'trash' || id === post.id);
  };
  return async (_args: unknown, call: Call): Promise<RestResponse> => {
    const site = await settings();
    const posts = await load(subjectPost(call), call);
    const linkParts = await loadLinkParts({ store, types: content.types, settings: site }, posts);
    const shown = listByLanguage(posts, site, (post) => ({
      title: renderTitle(post.title),
      status: post.status,
      link: permalink(post, call.site, { type: kind.type, linkParts, settings: site }),
    }));
    return new RestResponse(shown, {
      dependsOn: { records: [], collections: call.endpoint.cache ?? [], until: nextDue() },
    });
  };
}
