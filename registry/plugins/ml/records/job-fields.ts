import { createHash } from 'node:crypto';
import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import type { XmlConfig } from '../xml-config/xml-config.ts';
import { readMeta, writeMeta } from './meta-texts.ts';

/**
 * One text of a post that a job translates. `path`: its path in the custom fields; absent for the post's own texts. A segment of a longer
 * text has the id of that text (`part`), and what stands between it and the segment before it, or after the last one (`before`, `after`).
 */
export type JobField = {
  readonly id: string;
  readonly label: string;
  readonly source: string;
  readonly path?: readonly string[];
  readonly part?: string;
  readonly before?: string;
  readonly after?: string;
};

/** The texts of a post, by field name. */
export interface PostTexts {
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly slug: string;
  readonly meta: Readonly<Record<string, Json>>;
}

/** A term of the post without a translation. */
export interface OpenTerm {
  readonly id: number;
  readonly taxonomy: string;
  readonly name: string;
}

/** Translations by field id. */
export type FieldTexts = ReadonlyMap<string, string>;

const OWN = [
  ['title', 'Title', 'title'],
  ['body', 'Content', 'content'],
  ['excerpt', 'Excerpt', 'excerpt'],
  ['URL', 'URL', 'slug'],
] as const;

/** Field ids are NMTOKENs in XLIFF. Characters that are not allowed there are replaced by their code points. */
const toToken = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9._]/gu, (character) => `_x${(character.codePointAt(0) ?? 0).toString(16)}_`);

function toMetaFields(meta: PostTexts['meta'], config: XmlConfig): JobField[] {
  const ids = new Set<string>();
  return readMeta(meta, config).map(({ path, text }) => {
    const [key = '', ...rest] = path;
    const tail = rest.length === 0 ? ['0'] : /^\d+$/.test(rest[0] ?? '') ? rest : ['0', ...rest];
    const wanted = ['field', key, ...tail].map(toToken).join('-');
    let id = wanted;
    for (let number = 2; ids.has(id); number += 1) id = `${wanted}.${number}`;
    ids.add(id);
    return { id, label: path.join(' / '), source: text, path };
  });
}

/** The texts that a job of this post translates, as configured. Empty texts are left out. */
export function toJobFields(
  post: PostTexts,
  terms: readonly OpenTerm[],
  config: XmlConfig,
): readonly JobField[] {
  const own = OWN.map(([id, label, name]): JobField => ({ id, label, source: post[name] }));
  const named = terms
    .filter((term) => config.taxonomies.get(term.taxonomy) !== false)
    .map((term): JobField => ({
      id: `t_${term.id}`,
      label: `Name of a term (${term.taxonomy})`,
      source: term.name,
    }));
  return [...own, ...named, ...toMetaFields(post.meta, config)].filter((field) => field.source !== '');
}

/** Identifies the state of the texts by 16 hexadecimal digits, which change with any text. */
export function toRevision(fields: readonly JobField[]): string {
  const parts = fields.flatMap((field) => [field.id, field.source]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** The texts of the translated post. `previous`: custom fields of the existing translation; null when it is new. A missing text is copied from the source. */
export function toTranslatedTexts(
  source: PostTexts,
  job: { fields: readonly JobField[]; texts: FieldTexts },
  meta: { previous: PostTexts['meta'] | null; config: XmlConfig },
): PostTexts {
  const text = (id: string, otherwise: string): string => job.texts.get(id) ?? otherwise;
  const translated = job.fields.flatMap((field) =>
    field.path === undefined || !job.texts.has(field.id)
      ? []
      : [{ path: field.path, text: text(field.id, '') }],
  );
  return {
    title: text('title', source.title),
    content: text('body', source.content),
    excerpt: text('excerpt', source.excerpt),
    slug: text('URL', ''),
    meta: writeMeta({ source: source.meta, previous: meta.previous, translated }, meta.config),
  };
}

/** Translated names of terms, by the id of the source term. */
export function toTermNames(texts: FieldTexts): ReadonlyMap<number, string> {
  return new Map(
    [...texts].filter(([id]) => /^t_\d+$/.test(id)).map(([id, text]) => [Number(id.slice(2)), text.trim()]),
  );
}
