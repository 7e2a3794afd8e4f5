import type { Call } from '../../lib/route/call.ts';
import { can, type Identity } from '../../lib/core/identity.ts';
import { prepareLink, prepareLinks, type PreparedLink } from '../../lib/route/links.ts';
import { perNames, type Names } from '../../lib/core/names.ts';
import { own } from '../../lib/core/objects.ts';
import type { Link } from '../../lib/http/response.ts';
import type { PostRecord } from './post-record.ts';
import { permalink, type PostView } from './post-view.ts';
import { postExtraLinks, postResource } from './resources.ts';
import { mayDelete, mayEdit } from './rights.ts';

// The links of posts are declared in `resources.ts`. This file decides which of them a post shows, and fills them in.
const preparedOf = perNames((names) => ({
  links: prepareLinks(postResource.links, names),
  self: prepareLink('self', postResource.links.self, names),
  predecessor: prepareLink('predecessor-version', postExtraLinks.predecessor, names),
  category: prepareLink('cms:term', postExtraLinks.category, names),
  tag: prepareLink('cms:term', postExtraLinks.post_tag, names),
  curies: Object.freeze([Object.freeze({ name: names.curie.wire, href: names.curie.href, templated: true })]),
}));

/** The links that posts show to a caller, selected once for all posts of a response. Action links are shown in the `edit` context only. */
export function selectLinks(names: Names, { identity, context }: { identity: Identity; context: string }): readonly PreparedLink[] {
  const { links } = preparedOf(names);
  return links.filter(({ capabilities }) => capabilities.length === 0 || (context === 'edit' && capabilities.every((capability) => can(identity, capability))));
}

/** The methods that the caller may use on the post: a hint in the `self` link. */
function allowedMethods({ post, call }: PostView): readonly string[] {
  const methods = ['GET'];
  if (mayEdit(call.identity, post)) methods.push('POST', 'PUT', 'PATCH');
  if (mayDelete(call.identity, post)) methods.push('DELETE');
  return methods;
}

/** Links with members in addition to the address, by relation. */
const RICH_LINKS: Readonly<Record<string, (link: Link, view: PostView) => Link>> = {
  self: ({ href }, view) => ({ href, targetHints: { allow: allowedMethods(view) } }),
  'version-history': ({ href }, { history }) => ({ count: history.count, href }),
};

/** The address of a post in the API. */
export function toPostAddress({ id }: Pick<PostRecord, 'id'>, { site }: Call): string {
  return preparedOf(site.names).self.toLink(site, { id }).href;
}

/** `_links` of a post. */
export function toPostLinks(view: PostView): Record<string, readonly unknown[]> {
  const { post, call: { site }, history } = view;
  const { predecessor, category, tag, curies } = preparedOf(site.names);
  const out: Record<string, readonly unknown[]> = {};
  for (const { name, relation, toLink } of view.links) {
    if (name === 'cms:featuredmedia' && post.featured_media === 0) continue;
    const link = toLink(site, post);
    out[relation] = [own(RICH_LINKS, name)?.(link, view) ?? link];
  }
  if (history.newest !== 0) out[predecessor.relation] = [{ id: history.newest, ...predecessor.toLink(site, { id: post.id, newest: history.newest }) }];
  out[category.relation] = [{ taxonomy: 'category', ...category.toLink(site, post) }, { taxonomy: 'post_tag', ...tag.toLink(site, post) }];
  if (view.siblings.length > 0) out['alternate'] = view.siblings.map((sibling) => ({ href: permalink(sibling, view.call), hreflang: sibling.language }));
  out['curies'] = curies;
  return out;
}
