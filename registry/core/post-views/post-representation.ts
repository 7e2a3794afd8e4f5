import type { Selection } from '../../../lib/http/fields.ts';
import { createRecordRenderer, type Renderer, type Renderers } from '../../../lib/route/render-record.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { toPermalinkTemplate } from '../addresses/permalink.ts';
import { toBlockVersion } from '../content/html/blocks.ts';
import { toShownBlocks } from '../content/render/block-words.ts';
import { renderContent, renderExcerpt, renderTitle } from '../content/render/render.ts';
import { toGmt } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import { perKind, type PostKind } from '../records/kind.ts';
import { isFloating, termIdsOf } from '../records/post-record.ts';
import { fallbackField } from '../schemas/translation-args.ts';
import { toKindResource } from './describe-kind.ts';
import { toPostLinks } from './post-links.ts';
import { showMeta, toFootnotes } from './post-meta.ts';
import { linkOf, type PostView } from './post-view.ts';

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
  id: ({ post }) => post.id,
  date: ({ post }) => post.date,
  date_gmt: ({ post, settings }) => (isFloating(post) ? toGmt(post.date, settings.zone) : post.date_gmt),
  guid: { raw: toGuid, rendered: toGuid },
  modified: ({ post }) => post.modified,
  modified_gmt: ({ post }) => post.modified_gmt,
  password: ({ post }) => post.password,
  slug: ({ post }) => post.slug,
  status: ({ post }) => post.status,
  type: ({ post }) => post.type,
  link: (view) => linkOf(view.post, view),
  title: { raw: ({ post }) => post.title, rendered: ({ post }) => renderTitle(post.title) },
  content: {
    raw: (view) => toShown(view.post.content, view),
    rendered: toContent,
    block_version: ({ post }) => toBlockVersion(post.content),
    protected: isProtected,
  },
  excerpt: { raw: (view) => toShown(view.post.excerpt, view), rendered: toExcerpt, protected: isProtected },
  author: ({ post }) => post.author,
  featured_media: ({ post }) => post.featured_media,
  parent: ({ post }) => post.parent,
  menu_order: ({ post }) => post.menu_order,
  // What is not stored is as it acts: nobody may comment.
  comment_status: ({ post }) => post.comment_status || 'closed',
  ping_status: ({ post }) => post.ping_status || 'closed',
  sticky: ({ post }) => post.sticky,
  template: ({ post }) => post.template,
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
