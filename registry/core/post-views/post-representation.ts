import { can, type Identity } from '../../../lib/core/identity.ts';
import { type Names, perNames } from '../../../lib/core/names.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Link } from '../../../lib/http/response.ts';
import type { Selection } from '../../../lib/http/select-fields.ts';
import type { Call } from '../../../lib/route/call.ts';
import { type PreparedLink, prepareLink, prepareLinks } from '../../../lib/route/links.ts';
import {
  createRecordRenderer,
  type Renderer,
  type Renderers,
  showMembers,
} from '../../../lib/route/render-record.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { type Addressed, type LinkParts, permalink, toPermalinkTemplate } from '../addresses/permalink.ts';
import { toBlockVersion, toShownBlocks } from '../content/html/blocks.ts';
import { renderExcerpt } from '../content/render/excerpt.ts';
import { renderContent, renderTitle } from '../content/render/render.ts';
import { toGmt } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import type { Ports } from '../host/ports.ts';
import type { Taxonomy } from '../model/content-type.ts';
import type { PostHistory } from '../records/history.ts';
import { perKind, type PostKind } from '../records/kind.ts';
import { showMeta, toFootnotes } from '../records/post-meta.ts';
import { isFloating, type PostRecord, termIdsOf } from '../records/post-record.ts';
import { fallbackField } from '../schemas/common-args.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import { toKindExtraLinks, toKindResource } from './describe-kind.ts';

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
function toPostLinks(view: PostView): Record<string, readonly unknown[]> {
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

/** Headers of a response that the site also has as Markdown, by `Accept`. */
export const MAY_BE_MARKDOWN = { Vary: 'Accept' } as const;

/** What the representation of a post needs in addition to the record. Loaded once for a whole list. */
export interface PostView {
  readonly post: PostRecord;
  readonly kind: PostKind;
  readonly call: Call;
  readonly log: Ports['log'];
  /** `view`, `embed` or `edit`. */
  readonly context: string;
  readonly settings: SiteSettings;
  /** Number of words of an automatic excerpt. */
  readonly excerptWords: number;
  /** The links that the caller may see on a post. */
  readonly links: readonly PreparedLink[];
  /** Terms of all posts of the list, by id. */
  readonly terms: ReadonlyMap<number, StoredRecord>;
  /** The other published posts of the translation group. */
  readonly siblings: readonly PostRecord[];
  /** What the addresses of the post and its siblings need. */
  readonly linkParts: LinkParts;
  /** Number and highest id of its revisions and autosaves; 0 for none. */
  readonly history: PostHistory;
  /** The language that was asked for, if the post stands in for its translation. */
  readonly standsFor?: string;
  /** Whether the caller sent the password of the post. */
  readonly isUnlocked: boolean;
  /** `content.rendered` of a content with shortcodes, patterns or blocks of plugins, which cannot be rendered at once. */
  readonly built?: string;
}

/** The address of a post of the list, or of one of its siblings. */
export function linkOf(
  post: Addressed,
  { call, kind: { type }, linkParts, settings }: Pick<PostView, 'call' | 'kind' | 'linkParts' | 'settings'>,
): string {
  return permalink(post, call.site, { type, linkParts, settings });
}

/** Whether content, excerpt and meta may be shown: the post is not protected, the password was sent, or an editor reads it in the `edit` context. */
export function isOpen({ post, kind: { rights }, call, context, isUnlocked }: PostView): boolean {
  return post.password === '' || isUnlocked || (context === 'edit' && rights.mayEdit(call.identity, post));
}

function toContent(view: PostView): string {
  const { content, meta } = view.post;
  return isOpen(view) ? (view.built ?? renderContent(content, { footnotes: toFootnotes(meta) })) : '';
}

function toExcerpt(view: PostView): string {
  return isOpen(view) ? renderExcerpt(view.post, view.excerptWords) : '';
}

/** Compares as `localeCompare` does, in time that grows with the square of the marks in a row. Creating it takes long, so it is created once, and not at the start. */
let names: Intl.Collator | undefined;
/** Characters of a name that are compared: as many as a term of WordPress has. */
const MOST_COMPARED = 200;

function byName(terms: ReadonlyMap<number, StoredRecord>, ids: readonly number[]): readonly number[] {
  const known = ids.filter((id) => terms.has(id));
  if (known.length < 2) return known;
  const name = (id: number): string => String(terms.get(id)?.['name'] ?? '').slice(0, MOST_COMPARED);
  names ??= new Intl.Collator('en');
  const { compare } = names;
  return known.sort((left, right) => compare(name(left), name(right)) || left - right);
}

/** The terms of a taxonomy, which may share a field with other taxonomies. */
function toTermIds({ name, field }: Taxonomy): Renderer<PostView> {
  return ({ post, terms }) =>
    byName(
      terms,
      field === 'terms' ? post.terms.filter((id) => terms.get(id)?.['taxonomy'] === name) : post[field],
    );
}

function toClassList({ post, kind, terms }: PostView): readonly string[] {
  const classes = [`post-${post.id}`, post.type, `type-${post.type}`, `status-${post.status}`];
  if (kind.type.features.has('post-formats')) classes.push(`format-${post.format}`);
  if (post.password !== '') classes.push('post-password-required');
  if (post.sticky) classes.push('sticky');
  classes.push('hentry');
  for (const id of termIdsOf(post)) {
    const term = terms.get(id);
    const taxonomy = kind.taxonomies.find(({ name }) => name === term?.['taxonomy']);
    if (term !== undefined && taxonomy !== undefined)
      classes.push(`${taxonomy.path}-${String(term['slug'])}`);
  }
  return classes;
}

function toTranslations({ post, siblings }: PostView): object | undefined {
  return siblings.length === 0
    ? undefined
    : Object.fromEntries([post, ...siblings].map((each) => [each.language, each.id]));
}

const toShown = (text: string, { call }: PostView): string => toShownBlocks(text, call.site.names.curie);
const toGuid = ({ post, kind: { type }, call }: PostView): string =>
  `${call.site.home(post.language)}${type.draftLink.replace('%id%', String(post.id))}`;
const isProtected = ({ post }: PostView): boolean => post.password !== '';

const RENDERERS: Renderers<PostView> = {
  ...showMembers(
    ({ post }: PostView) => post,
    [
      'id',
      'date',
      'modified',
      'modified_gmt',
      'password',
      'slug',
      'status',
      'type',
      'author',
      'featured_media',
      'parent',
      'menu_order',
      'sticky',
      'template',
    ],
  ),
  date_gmt: ({ post, settings }) => (isFloating(post) ? toGmt(post.date, settings.zone) : post.date_gmt),
  guid: { raw: toGuid, rendered: toGuid },
  link: (view) => linkOf(view.post, view),
  title: { raw: ({ post }) => post.title, rendered: ({ post }) => renderTitle(post.title) },
  content: {
    raw: (view) => toShown(view.post.content, view),
    rendered: toContent,
    block_version: ({ post }) => toBlockVersion(post.content),
    protected: isProtected,
  },
  excerpt: { raw: (view) => toShown(view.post.excerpt, view), rendered: toExcerpt, protected: isProtected },
  // What is not stored is as it acts: nobody may comment.
  comment_status: ({ post }) => post.comment_status || 'closed',
  ping_status: ({ post }) => post.ping_status || 'closed',
  format: ({ post }) => post.format || 'standard',
  meta: (view) => showMeta(view.kind, view.post.meta, isOpen(view)),
  class_list: toClassList,
  permalink_template: ({ post, kind: { type }, call, linkParts, settings }) =>
    toPermalinkTemplate(post, call.site, { type, linkParts, settings }),
  generated_slug: ({ post }) => toSlug(post.title),
  ml_language: ({ post }) => post.language,
  ml_translations: toTranslations,
  ml_fallback_of: ({ standsFor }) => standsFor,
};

/** The renderer of a type: its fields and those of its taxonomies. */
const rendererOf = perKind((kind: PostKind) =>
  createRecordRenderer<PostView>(
    { ...toKindResource(kind).properties, ...fallbackField },
    {
      ...RENDERERS,
      ...Object.fromEntries(kind.taxonomies.map((taxonomy) => [taxonomy.base, toTermIds(taxonomy)])),
    },
    {
      links: toPostLinks,
      onFault: ({ post, log }, { field, error }) =>
        log({
          level: 'error',
          message: `${field} of post ${post.id} could not be rendered and is shown as empty`,
          error,
        }),
    },
  ),
);

/** The post as the caller may see it in this context, with `_links`; or only these `fields`. Never throws: a field that cannot be rendered is logged and shown as empty. */
export function toRepresentation(view: PostView, fields: Selection | null = null): Record<string, unknown> {
  return rendererOf(view.kind)(view, { context: view.context, names: view.call.site.names, fields });
}
