import { createRecordRenderer, type Renderers } from '../../lib/route/render-record.ts';
import type { Selection } from '../../lib/http/fields.ts';
import type { StoredRecord } from '../../lib/store/store.ts';
import { toShownBlocks } from '../content/block-words.ts';
import { toBlockVersion } from '../content/blocks.ts';
import { renderContent, renderExcerpt, renderTitle } from '../content/render.ts';
import { toGmt } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import { toPostLinks } from './post-links.ts';
import { isFloating } from './post-record.ts';
import { permalink, type PostView } from './post-view.ts';
import { postResource } from './resources.ts';
import { mayEdit } from './rights.ts';

const EMPTY_META = { footnotes: '' } as const;

/** Whether content, excerpt and meta may be shown: the post is not protected, the password was sent, or an editor reads it in the `edit` context. */
function isOpen({ post, call, context, isUnlocked }: PostView): boolean {
  return post.password === '' || isUnlocked || (context === 'edit' && mayEdit(call.identity, post));
}

function toContent(view: PostView): string {
  const { content, meta } = view.post;
  return isOpen(view) ? renderContent(content, { footnotes: String(meta['footnotes'] ?? '') }) : '';
}

function toExcerpt(view: PostView): string {
  return isOpen(view) ? renderExcerpt(view.post, view.excerptWords) : '';
}

/** Compares as `localeCompare` does, but is created only once. */
const NAMES = new Intl.Collator('en');

function byName(terms: ReadonlyMap<number, StoredRecord>, ids: readonly number[]): readonly number[] {
  const known = ids.filter((id) => terms.has(id));
  if (known.length < 2) return known;
  const name = (id: number): string => String(terms.get(id)?.['name'] ?? '');
  return known.sort((left, right) => NAMES.compare(name(left), name(right)) || left - right);
}

function toClassList({ post, terms }: PostView): readonly string[] {
  const classes = [`post-${post.id}`, post.type, `type-${post.type}`, `status-${post.status}`, `format-${post.format}`];
  if (post.password !== '') classes.push('post-password-required');
  if (post.sticky) classes.push('sticky');
  classes.push('hentry');
  for (const id of [...post.categories, ...post.tags]) {
    const term = terms.get(id);
    if (term !== undefined) classes.push(`${term['taxonomy'] === 'category' ? 'category' : 'tag'}-${String(term['slug'])}`);
  }
  return classes;
}

function toTranslations({ post, siblings }: PostView): object | undefined {
  return siblings.length === 0 ? undefined : Object.fromEntries([post, ...siblings].map((each) => [each.language, each.id]));
}

const toShown = (text: string, { call }: PostView): string => toShownBlocks(text, call.site.names.curie);
const toGuid = ({ post, call }: PostView): string => `${call.site.home(post.language)}/?p=${post.id}`;
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
  link: ({ post, call }) => permalink(post, call),
  title: { raw: ({ post }) => post.title, rendered: ({ post }) => renderTitle(post.title) },
  content: {
    raw: (view) => toShown(view.post.content, view), rendered: toContent, block_version: ({ post }) => toBlockVersion(post.content), protected: isProtected,
  },
  excerpt: { raw: (view) => toShown(view.post.excerpt, view), rendered: toExcerpt, protected: isProtected },
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

const renderPost = createRecordRenderer<PostView>(postResource.properties, RENDERERS, {
  links: toPostLinks,
  onFault: ({ post, log }, { field, error }) => log({ level: 'error', message: `${field} of post ${post.id} could not be rendered and is shown as empty`, error }),
});

/** The post as the caller may see it in this context, with `_links`; or only these `fields`. Never throws: a field that cannot be rendered is logged and shown as empty. */
export function toRepresentation(view: PostView, fields: Selection | null = null): Record<string, unknown> {
  return renderPost(view, { context: view.context, names: view.call.site.names, fields });
}
