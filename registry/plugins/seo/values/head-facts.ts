import { and, eq, oneOf, type Store, type StoredRecord } from '../../../../lib/index.ts';
import { own, SEO_KEYS } from '../../../plugin.ts';
import { toMembers } from './scalars.ts';

const FIELD_VALUES = {
  title: '',
  description: '',
  canonical: '',
  focus_phrase: '',
  breadcrumb_title: '',
  og_title: '',
  og_description: '',
  og_image: '',
  twitter_title: '',
  twitter_description: '',
  twitter_image: '',
  noindex: false,
  nofollow: false,
  noarchive: false,
  noimageindex: false,
  nosnippet: false,
  cornerstone: false,
};

/** What an editor entered for one object. '' and false: not set. */
export type SeoMeta = Readonly<typeof FIELD_VALUES>;

export const NO_META: SeoMeta = Object.freeze(FIELD_VALUES);

/** An image of the page; size 0 and type '' when unknown. */
export interface ImageFacts {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly type: string;
  readonly caption: string;
}

/** The size of an image, if it is known. */
export const toSize = ({ width, height }: ImageFacts): Partial<Pick<ImageFacts, 'width' | 'height'>> =>
  width > 0 && height > 0 ? { width, height } : {};

export interface PersonFacts {
  readonly name: string;
  readonly slug: string;
  /** URL of the archive of the person's posts. */
  readonly url: string;
  readonly description: string;
  readonly sameAs: readonly string[];
}

/** Facts that only a post has. Times are GMT with offset: `2024-01-05T09:00:00+00:00`. */
export interface ArticleFacts {
  readonly published: string;
  readonly modified: string;
  readonly author: PersonFacts | null;
  readonly sections: readonly string[];
  readonly keywords: readonly string[];
  readonly wordCount: number;
  readonly comments: boolean;
}

/** The organization or person that the site represents. */
export interface OwnerFacts {
  readonly type: 'Organization' | 'Person';
  readonly name: string;
  readonly description: string;
  readonly logo: string;
  /** URLs of profiles on other sites. */
  readonly sameAs: readonly string[];
  /** Handle for cards, without `@`; '' when there is none. */
  readonly handle: string;
  /** URL of the profile that articles name as their publisher; '' when there is none. */
  readonly publisher: string;
}

export interface SiteFacts {
  readonly name: string;
  readonly description: string;
  /** Home page in the language of the page, without a trailing slash. */
  readonly home: string;
  readonly owner: OwnerFacts;
  /** Number of posts on one page of an archive. */
  readonly perPage: number;
  /** Content of verification tags by tag name. */
  readonly verification: Readonly<Record<string, string>>;
}

export interface Step {
  readonly name: string;
  readonly url: string;
}

/** `front`: a home page that lists posts; `front-page`: a page that is the home page. */
type PageKind = 'article' | 'front' | 'front-page' | 'archive' | 'author' | 'search' | 'error';

/** Everything that the head of one page is built from. Texts are plain text; URLs are absolute. */
export interface HeadFacts {
  readonly kind: PageKind;
  /** The page's own URL; '' for the error page. */
  readonly url: string;
  readonly language: string;
  readonly heading: string;
  /** Title of the document unless an editor set another. */
  readonly title: string;
  /** Summary that was entered by hand; '' when there is none. */
  readonly description: string;
  /** Beginning of the text, for cards of a page without a summary. */
  readonly opening: string;
  readonly meta: SeoMeta;
  readonly site: SiteFacts;
  readonly article: ArticleFacts | null;
  readonly person: PersonFacts | null;
  readonly images: readonly ImageFacts[];
  readonly trail: readonly Step[];
  /** Language -> URL of the same page, including this one; empty when there is no other. */
  readonly alternates: Readonly<Record<string, string>>;
  /** URL for readers of any other language; '' when there is none. */
  readonly defaultAlternate: string;
  readonly isProtected: boolean;
  /** URLs of the previous and next page of an archive; '' when there is none. */
  readonly previous: string;
  readonly next: string;
}

/** The collections of the objects that have editor's fields, by the type of an object. */
export const COLLECTIONS = { post: 'posts', term: 'terms' } as const;

export type ObjectType = keyof typeof COLLECTIONS;

/** The editor's fields of an object and the version of their record; version 0 when there is no record. */
export interface KeptMeta {
  readonly version: number;
  readonly meta: SeoMeta;
}

const NOTHING: KeptMeta = { version: 0, meta: NO_META };

// The store returns what the collection descriptor declares.
const toKept = (record: StoredRecord): KeptMeta => ({
  version: record.version,
  meta: record as unknown as SeoMeta,
});

/** Reads the editor's fields of several objects of one type. */
export async function findMeta(
  store: Store,
  type: ObjectType,
  ids: readonly number[],
): Promise<(id: number) => KeptMeta> {
  if (ids.length === 0) return () => NOTHING;
  const { records } = await store.find({
    collection: 'seo_meta',
    where: and(eq('object_type', type), oneOf('object_id', ids)),
  });
  const byId = new Map(records.map((record) => [record['object_id'], toKept(record)]));
  return (id) => byId.get(id) ?? NOTHING;
}

/** The field that a meta key of the object sets, for keys whose names differ. */
const FIELDS: Readonly<Record<string, keyof SeoMeta>> = { seo_keyphrase: 'focus_phrase' };

/** The meta key for a field, if the fields can be meta: `seo_title`. */
export const toMetaKey = (field: string): string =>
  Object.keys(FIELDS).find((key) => own(FIELDS, key) === field) ?? `seo_${field}`;

/** The editor's fields of an object with those of its own meta (`seo_title`, …), which win. */
export function withOwnMeta(meta: SeoMeta, stored: unknown): SeoMeta {
  const entries = Object.keys(SEO_KEYS).flatMap((key) => {
    const value = own(toMembers(stored), key);
    return value === undefined || value === ''
      ? []
      : [[own(FIELDS, key) ?? key.slice('seo_'.length), value] as const];
  });
  return entries.length === 0 ? meta : { ...meta, ...Object.fromEntries(entries) };
}

/** Reads the editor's fields of one object. `stored`: the meta of the object itself. */
export async function readMeta(
  store: Store,
  type: ObjectType,
  { id, meta: stored }: { readonly id: number; readonly meta?: unknown },
): Promise<SeoMeta> {
  return withOwnMeta((await findMeta(store, type, [id]))(id).meta, stored);
}
