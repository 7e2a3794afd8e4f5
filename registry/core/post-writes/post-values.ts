import { can, type Identity } from '../../../lib/core/identity.ts';
import type { Names } from '../../../lib/core/names.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { toStoredBlocks } from '../content/html/blocks.ts';
import { toStoredTexts } from '../content/sanitise/text-fields.ts';
import { toStamp, type Stamp, type Zone } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import type { PostKind } from '../records/kind.ts';
import { toIndexValues } from '../records/meta-values.ts';
import { postError } from '../records/post-errors.ts';
import { writeMeta } from '../records/post-meta.ts';
import { TEXTS, type PostRecord } from '../records/post-record.ts';
import { checkBounds } from '../records/text-bounds.ts';
import type { translationArgs } from '../schemas/common-args.ts';
import type { postWriteArgs } from '../schemas/post-args.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import { decideDate, nextModified } from './post-dates.ts';

/** What a write can send. The terms of each taxonomy have the name of its base. */
export type PostArgs = Partial<
  Omit<ArgsOf<typeof postWriteArgs>, 'meta'> & ArgsOf<typeof translationArgs>
> & {
  readonly meta?: unknown;
};

/** The arguments that were found in the store. Unknown terms are dropped, and an unknown medium is ignored. */
export interface FoundReferences {
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
  readonly terms?: readonly number[];
  readonly featured_media?: number;
  readonly parent?: number;
  readonly group?: number;
}

/** Everything on which the result of a write depends. `current`: the stored post; null for a new post. */
interface WriteInput {
  readonly kind: PostKind;
  readonly args: PostArgs;
  readonly current: PostRecord | null;
  readonly identity: Identity;
  readonly found: FoundReferences;
  readonly language: string;
  readonly defaultCategory: number;
  /** What the settings say of new posts. */
  readonly discussion: SiteSettings['discussion'];
  readonly now: number;
  readonly zone: Zone;
  /** The names of block comments in requests. Texts are stored with the neutral names. */
  readonly curie: Names['curie'];
}

/** Fields of a post to store. `slug` is the wanted slug, which may be taken; '' asks for none. */
export type PostValues = Readonly<Record<string, Json>> & { readonly slug: string; readonly status: string };

const COPIED = ['comment_status', 'ping_status', 'format', 'sticky', 'menu_order'] as const;
const OUT: ReadonlySet<string> = new Set(['publish', 'future', 'private']);

/** The slug of a published post whose title does not result in one. */
const UNTITLED = 'untitled';

/**
 * The initial values of a post. It has every field that a write can set: V8 turns an object to which so many fields are added
 * one by one into a hash table, which makes a create slower by a tenth.
 */
const NEW_POST = {
  type: '',
  language: '',
  status: 'draft',
  slug: '',
  author: 0,
  date: '',
  date_gmt: '',
  modified: '',
  modified_gmt: '',
  title: '',
  content: '',
  excerpt: '',
  password: '',
  comment_status: 'open',
  ping_status: 'open',
  format: 'standard',
  sticky: false,
  template: '',
  featured_media: 0,
  categories: [],
  tags: [],
  terms: [],
  meta: Object.freeze({}),
  group: 0,
  parent: 0,
  menu_order: 0,
} as const;

function toTexts({ args, identity, curie }: WriteInput): Record<string, string> {
  const sent = TEXTS.flatMap((field) =>
    args[field]?.raw === undefined ? [] : [[field, toStoredBlocks(args[field].raw, curie)] as const],
  );
  const texts: Record<string, string> = toStoredTexts(
    'posts',
    Object.fromEntries(sent),
    can(identity, 'unfiltered_html'),
  );
  return texts['title'] === undefined ? texts : { ...texts, title: texts['title'].trim() };
}

/** Only a type that supports all of the texts needs one of them, as in WordPress. */
function checkNotEmpty({ kind: { type }, current }: WriteInput, texts: Record<string, string>): void {
  if (!(['title', 'editor', 'excerpt'] as const).every((word) => type.supports.has(word))) return;
  if (TEXTS.every((field) => (texts[field] ?? current?.[field] ?? '').trim() === ''))
    throw postError('empty_content');
}

/** @throws RestError `rest_invalid_field`: a post cannot be both sticky and protected. */
function checkProtection({ args, current }: WriteInput): void {
  const password = args.password ?? '';
  if (args.sticky === true && password !== '') throw postError('rest_invalid_field');
  if (password !== '' && current?.sticky === true)
    throw postError('rest_invalid_field', { message: 'A sticky post can not be password protected.' });
  if (args.sticky === true && (current?.password ?? '') !== '') {
    throw postError('rest_invalid_field', { message: 'A password protected post can not be set to sticky.' });
  }
}

/** The slug that was sent, that the trash kept, or that publication needs; otherwise the current one. */
function toWantedSlug({ kind, args, current, identity }: WriteInput, status: string, title: string): string {
  const isPendingOfContributor = status === 'pending' && !kind.rights.has(identity, 'publish_posts');
  if (isPendingOfContributor) return '';
  const needed = (slug: string): string =>
    slug === '' && OUT.has(status) ? toSlug(title) || UNTITLED : slug;
  if (args.slug !== undefined) return needed(toSlug(args.slug === '' ? title : args.slug));
  if (current?.status === 'trash' && status !== 'trash') return current.trashed_slug;
  return needed(current?.slug ?? '');
}

/** A new post has its date as modification date, even if it is in the future. */
function toModified({ current, now, zone }: WriteInput, dated: Stamp): Record<string, string> {
  if (current !== null) return nextModified(current, toStamp(now, zone));
  return {
    modified: dated.date,
    modified_gmt: dated.date_gmt === '' ? toStamp(now, zone).date_gmt : dated.date_gmt,
  };
}

function toTerms({ kind, found, current, defaultCategory }: WriteInput): Record<string, Json> {
  const hasDefault = defaultCategory !== 0 && kind.taxonomies.some((taxonomy) => taxonomy.hasDefault);
  const unset = current === null && hasDefault ? { categories: [defaultCategory] } : {};
  return { ...unset, ...found };
}

/** Whether a new post can be discussed: as the settings say, unless its type does not allow it. */
function toDiscussion({ kind: { type }, discussion }: WriteInput): SiteSettings['discussion'] {
  const decide = (name: keyof SiteSettings['discussion']) =>
    type.discussion[name] === 'open' ? discussion[name] : 'closed';
  return { comment_status: decide('comment_status'), ping_status: decide('ping_status') };
}

function checkMayPublish({ kind, identity, current }: WriteInput, wanted: string): void {
  if (!OUT.has(wanted) || wanted === current?.status || kind.rights.has(identity, 'publish_posts')) return;
  throw wanted === 'private'
    ? postError('rest_cannot_publish', {
        message: 'Sorry, you are not allowed to create private posts in this post type.',
      })
    : postError('rest_cannot_publish');
}

/**
 * The values of a post after a create or an update. Pure: it uses neither the store nor the clock.
 * @throws RestError `rest_cannot_publish`, `invalid_date`, `rest_invalid_field`, `empty_content`, and as `writeMeta` and `checkBounds`
 */
export function toPostValues(input: WriteInput): PostValues {
  const { kind, args, current, identity, language } = input;
  const texts = toTexts(input);
  const wanted = args.status ?? current?.status ?? NEW_POST.status;
  checkMayPublish(input, wanted);
  const dated = decideDate(wanted, args, { current, clock: input });
  checkProtection(input);
  checkNotEmpty(input, texts);
  const meta = writeMeta(kind, args.meta, { stored: current?.meta ?? NEW_POST.meta, identity });
  const values: Record<string, Json> =
    current === null
      ? { ...NEW_POST, ...toDiscussion(input), type: kind.type.name, author: identity.id, language }
      : {};
  Object.assign(values, texts, toTerms(input), toModified(input, dated), dated);
  for (const field of COPIED) if (args[field] !== undefined) values[field] = args[field];
  if (args.author !== undefined && args.author !== 0) values['author'] = args.author;
  if (args.password !== undefined) values['password'] = args.password;
  if (dated.status === 'private') values['password'] = '';
  if (current !== null && language !== current.language) values['language'] = language;
  checkBounds('posts', values, current ?? {});
  if (current?.status === 'trash' && dated.status !== 'trash')
    Object.assign(values, { trashed_from: '', trashed_slug: '' });
  const slug = toWantedSlug(input, dated.status, texts['title'] ?? current?.title ?? '');
  return Object.assign(values, { meta, slug, status: dated.status }, toIndexValues(kind, meta));
}
