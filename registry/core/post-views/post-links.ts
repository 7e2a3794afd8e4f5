import { can, type Identity } from '../../../lib/core/identity.ts';
import { perNames, type Names } from '../../../lib/core/names.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Link } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { prepareLink, prepareLinks, type PreparedLink } from '../../../lib/route/links.ts';
import { perKind, type PostKind } from '../records/kind.ts';
import type { PostRecord } from '../records/post-record.ts';
import { toKindExtraLinks, toKindResource } from './describe-kind.ts';
import { linkOf, type PostView } from './post-view.ts';

// The links of posts are declared in `resources.ts` and `describe-kind.ts`. This file decides which of them a post shows, and fills them in.
const preparedOf = perKind((kind) =>
  perNames((names) => {
    const { links } = toKindResource(kind);
    const { predecessor, up, terms } = toKindExtraLinks(kind);
    return {
      links: prepareLinks(links, names),
      self: prepareLinks(links, names).find(({ name }) => name === 'self') as PreparedLink,
      predecessor: prepareLink('predecessor-version', predecessor, names),
      up: prepareLink('up', up, names),
      terms: terms.map(({ taxonomy, link }) => ({
        taxonomy,
        prepared: prepareLink('cms:term', link, names),
      })),
      curies: Object.freeze([
        Object.freeze({ name: names.curie.wire, href: names.curie.href, templated: true }),
      ]),
    };
  }),
);

/** The links that posts show to a caller, selected once for all posts of a response. Action links are shown in the `edit` context only. */
export function selectLinks(
  kind: PostKind,
  names: Names,
  { identity, context }: { identity: Identity; context: string },
): readonly PreparedLink[] {
  const { links } = preparedOf(kind)(names);
  return links.filter(
    ({ capabilities }) =>
      capabilities.length === 0 ||
      (context === 'edit' && capabilities.every((capability) => can(identity, capability))),
  );
}

/** The methods that the caller may use on the post: a hint in the `self` link. */
function allowedMethods({ post, call, kind: { rights } }: PostView): readonly string[] {
  const methods = ['GET'];
  if (rights.mayEdit(call.identity, post)) methods.push('POST', 'PUT', 'PATCH');
  if (rights.mayDelete(call.identity, post)) methods.push('DELETE');
  return methods;
}

/** Links with members in addition to the address, by relation. */
const RICH_LINKS: Readonly<Record<string, (link: Link, view: PostView) => Link>> = {
  self: ({ href }, view) => ({ href, targetHints: { allow: allowedMethods(view) } }),
  'version-history': ({ href }, { history }) => ({ count: history.count, href }),
};

/** The address of a post in the API. */
export function toPostAddress(kind: PostKind, { id }: Pick<PostRecord, 'id'>, { site }: Call): string {
  return preparedOf(kind)(site.names).self.toLink(site, { id }).href;
}

/** `_links` of a post. */
export function toPostLinks(view: PostView): Record<string, readonly unknown[]> {
  const {
    post,
    kind,
    call: { site },
    history,
  } = view;
  const { predecessor, up, terms, curies } = preparedOf(kind)(site.names);
  const out: Record<string, readonly unknown[]> = {};
  for (const { name, relation, toLink } of view.links) {
    if (name === 'cms:featuredmedia' && post.featured_media === 0) continue;
    const link = toLink(site, post);
    out[relation] = [own(RICH_LINKS, name)?.(link, view) ?? link];
  }
  if (history.newest !== 0 && kind.type.features.has('revisions'))
    out[predecessor.relation] = [
      { id: history.newest, ...predecessor.toLink(site, { id: post.id, newest: history.newest }) },
    ];
  if (kind.type.hierarchical && post.parent !== 0) out[up.relation] = [up.toLink(site, post)];
  const [first] = terms;
  if (first !== undefined)
    out[first.prepared.relation] = terms.map(({ taxonomy, prepared }) =>
      Object.assign({ taxonomy }, prepared.toLink(site, post)),
    );
  if (view.siblings.length > 0)
    out['alternate'] = view.siblings.map((sibling) => ({
      href: linkOf(sibling, view),
      hreflang: sibling.language,
    }));
  out['curies'] = curies;
  return out;
}
