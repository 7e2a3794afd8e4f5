import { renderRecord, type Renderers } from '../../lib/context.ts';
import type { LinkDescriptor } from '../../lib/descriptor.ts';
import { can } from '../../lib/identity.ts';
import { toLink, toLinks } from '../../lib/links.ts';
import { renameRelation } from '../../lib/names.ts';
import type { Link } from '../../lib/response.ts';
import type { StoredRecord } from '../../lib/store.ts';
import { toShownBlocks } from '../content/block-words.ts';
import { toBlockVersion } from '../content/blocks.ts';
import { renderContent, renderExcerpt, renderTitle } from '../content/render.ts';
import { toGmt } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import { isFloating } from './post-record.ts';
import { permalink, type PostView } from './post-view.ts';
import { postExtraLinks, postResource } from './resources.ts';
import { mayDelete, mayEdit } from './rights.ts';

const EMPTY_META = { footnotes: '' } as const;

/** Whether content, excerpt and meta may be shown: the post is open, its password was named, or its editor looks at it to edit. */
function isOpen({ post, call, context, isUnlocked }: PostView): boolean {
  return post.password === '' || isUnlocked || (context === 'edit' && mayEdit(call.identity, post));
}

function toContent(view: PostView): object {
  const { post, call } = view;
  const rendered = isOpen(view) ? renderContent(post.content, { footnotes: String(post.meta['footnotes'] ?? '') }) : '';
  return { raw: toShownBlocks(post.content, call.site.names.curie), rendered, protected: post.password !== '', block_version: toBlockVersion(post.content) };
}

function toExcerpt(view: PostView): object {
  const { post, call, settings } = view;
  const asked = call.args['excerpt_length'];
  const words = typeof asked === 'number' ? asked : settings.excerptLength;
  return { raw: toShownBlocks(post.excerpt, call.site.names.curie), rendered: isOpen(view) ? renderExcerpt(post, words) : '', protected: post.password !== '' };
}

function byName(terms: ReadonlyMap<number, StoredRecord>, ids: readonly number[]): readonly number[] {
  const name = (id: number): string => String(terms.get(id)?.['name'] ?? '');
  return ids.filter((id) => terms.has(id)).sort((left, right) => name(left).localeCompare(name(right), 'en') || left - right);
}

function toClassList({ post, terms }: PostView): readonly string[] {
  const slugs = [...post.categories, ...post.tags].map((id) => terms.get(id)).filter((term) => term !== undefined);
  return [
    `post-${post.id}`, post.type, `type-${post.type}`, `status-${post.status}`, `format-${post.format}`,
    ...(post.password === '' ? [] : ['post-password-required']), ...(post.sticky ? ['sticky'] : []), 'hentry',
    ...slugs.map((term) => `${term['taxonomy'] === 'category' ? 'category' : 'tag'}-${String(term['slug'])}`),
  ];
}

function toTranslations({ post, siblings }: PostView): object | undefined {
  return siblings.length === 0 ? undefined : Object.fromEntries([post, ...siblings].map((each) => [each.language, each.id]));
}

function toGuid({ post, call }: PostView): object {
  const address = `${call.site.home(post.language)}/?p=${post.id}`;
  return { raw: address, rendered: address };
}

const RENDERERS: Renderers<PostView> = {
  id: ({ post }) => post.id,
  date: ({ post }) => post.date,
  date_gmt: ({ post, settings }) => (isFloating(post) ? toGmt(post.date, settings.zone) : post.date_gmt),
  guid: toGuid,
  modified: ({ post }) => post.modified,
  modified_gmt: ({ post }) => post.modified_gmt,
  password: ({ post }) => post.password,
  slug: ({ post }) => post.slug,
  status: ({ post }) => post.status,
  type: ({ post }) => post.type,
  link: ({ post, call }) => permalink(post, call),
  title: ({ post }) => ({ raw: post.title, rendered: renderTitle(post.title) }),
  content: toContent,
  excerpt: toExcerpt,
  author: ({ post }) => post.author,
  featured_media: ({ post }) => post.featured_media,
  comment_status: ({ post }) => post.comment_status,
  ping_status: ({ post }) => post.ping_status,
  sticky: ({ post }) => post.sticky,
  template: ({ post }) => post.template,
  format: ({ post }) => post.format,
  meta: (view) => (isOpen(view) ? { ...EMPTY_META, ...view.post.meta } : EMPTY_META),
  categories: ({ post, terms }) => byName(terms, post.categories),
  tags: ({ post, terms }) => byName(terms, post.tags),
  class_list: toClassList,
  permalink_template: ({ post, call }) => `${call.site.home(post.language)}/%postname%/`,
  generated_slug: ({ post }) => toSlug(post.title),
  ml_language: ({ post }) => post.language,
  ml_translations: toTranslations,
};

/** The methods that the caller may use on the post: a hint of the `self` link. */
function allowedMethods({ post, call }: PostView): readonly string[] {
  return ['GET', ...(mayEdit(call.identity, post) ? ['POST', 'PUT', 'PATCH'] : []), ...(mayDelete(call.identity, post) ? ['DELETE'] : [])];
}

/** `when` of a link is a list of capabilities: all of them are asked for. Actions are shown to who edits. */
function isLinkShown({ post, call, context }: PostView, { when }: LinkDescriptor, relation: string): boolean {
  if (relation.endsWith(':featuredmedia')) return post.featured_media !== 0;
  if (when === undefined) return true;
  return context === 'edit' && when.split(' ').every((capability) => can(call.identity, capability));
}

/** Links that say more than an address. */
function toRichLinks(view: PostView): Record<string, Link[]> {
  const { post, call, history } = view;
  const { self, 'version-history': versions } = postResource.links;
  const termLink = (taxonomy: 'category' | 'post_tag'): Link => ({ taxonomy, ...toLink(call.site, postExtraLinks[taxonomy], post) });
  const newest = history.newest === 0 ? {} : { 'predecessor-version': [{ id: history.newest, ...toLink(call.site, postExtraLinks.predecessor, { ...post, newest: history.newest }) }] };
  return {
    self: [{ ...toLink(call.site, self, post), targetHints: { allow: allowedMethods(view) } }],
    'version-history': [{ count: history.count, ...toLink(call.site, versions, post) }],
    ...newest,
    [renameRelation(call.site.names, 'cms:term')]: [termLink('category'), termLink('post_tag')],
  };
}

function toPostLinks(view: PostView): Record<string, unknown> {
  const { post, call } = view;
  const { names } = call.site;
  const links = toLinks(call.site, postResource.links, { record: post, isShown: (link, relation) => isLinkShown(view, link, relation) });
  const alternates = view.siblings.map((sibling) => ({ href: permalink(sibling, call), hreflang: sibling.language }));
  return {
    ...links, ...toRichLinks(view),
    ...(alternates.length === 0 ? {} : { alternate: alternates }),
    curies: [{ name: names.curie.wire, href: names.curie.href, templated: true }],
  };
}

/** The post as the caller may see it in the context of the call, with `_links`. */
export function toRepresentation(view: PostView): Record<string, unknown> {
  const { context, call } = view;
  return { ...renderRecord(postResource.properties, RENDERERS, { source: view, context, names: call.site.names }), _links: toPostLinks(view) };
}
