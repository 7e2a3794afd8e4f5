import type { Json } from '../../../../lib/index.ts';
import { type PostRecord, type Stamp, toSlug } from '../../../plugin.ts';
import type { PostTexts } from '../records/job-fields.ts';
import type { MappedTerms } from './map-terms.ts';

/** Status of a new translation: draft, or the status of the source. */
export type AppliedStatus = 'draft' | 'original';

/** Everything a translation is made of. `sibling`: the existing translation; null when it is new. */
export interface Translation {
  readonly source: PostRecord;
  readonly sibling: PostRecord | null;
  readonly language: string;
  readonly group: number;
  /** The translation of the parent of the source; 0 if there is none. */
  readonly parent: number;
  /** The featured image of a new translation. */
  readonly featured_media: number;
  readonly texts: PostTexts;
  readonly terms: MappedTerms;
  readonly appliedStatus: AppliedStatus;
  readonly stamp: Stamp;
}

type Fields = Readonly<Record<string, Json>>;

const COPIED = [
  'type',
  'author',
  'password',
  'comment_status',
  'ping_status',
  'format',
  'template',
  'menu_order',
] as const;
const DATELESS: ReadonlySet<string> = new Set(['draft', 'pending']);

/** Fields that a new translation copies from its source, besides the texts. The password is copied, so that protected content stays protected. */
function toNewFields(translation: Translation): Fields {
  const { source, language, group, parent, featured_media, appliedStatus, stamp } = translation;
  const status = appliedStatus === 'original' ? source.status : 'draft';
  const floats = DATELESS.has(status);
  const dated =
    floats || source.date_gmt === ''
      ? { date: stamp.date, date_gmt: floats ? '' : stamp.date_gmt }
      : { date: source.date, date_gmt: source.date_gmt };
  return {
    ...Object.fromEntries(COPIED.map((name) => [name, source[name]])),
    ...dated,
    language,
    group,
    status,
    sticky: false,
    parent,
    featured_media,
    trashed_from: '',
    trashed_slug: '',
  };
}

/** The fields to write to the translated post. `slug` is the preferred slug; it may not be free. */
export function toTranslatedPost(translation: Translation): Fields & { readonly slug: string } {
  const { sibling, texts, terms, stamp } = translation;
  return {
    ...(sibling === null ? toNewFields(translation) : {}),
    title: texts.title,
    content: texts.content,
    excerpt: texts.excerpt,
    meta: texts.meta,
    ...terms,
    modified: stamp.date,
    modified_gmt: stamp.date_gmt,
    slug: texts.slug || sibling?.slug || toSlug(texts.title),
  };
}
