import { can, type Identity } from '../../../lib/core/identity.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { sanitiseFootnotes } from '../content/sanitise/footnotes.ts';
import { postWriteArgs } from '../schemas/post-args.ts';
import { perKind, type PostKind } from './kind.ts';
import { createRecordMeta, type StoredMeta } from './meta-values.ts';

/** Footnotes are part of the text of a post. They are protected and cleaned as it is. */
const FOOTNOTES = 'footnotes';

const META_DESCRIPTION = postWriteArgs.meta.description;

/** The footnotes of a post, as JSON text. */
export function toFootnotes(meta: StoredMeta): string {
  return String(own<Json>(meta, FOOTNOTES) ?? '');
}

/** The registered keys of a type, those of them that revisions keep, and what a record without values shows. */
const metaOf = perKind(({ meta }) => {
  const all = createRecordMeta(meta, META_DESCRIPTION);
  return {
    all,
    kept: createRecordMeta(
      meta.filter(({ revisions }) => revisions),
      META_DESCRIPTION,
    ),
    empty: Object.freeze(all.show({})),
  };
});

/** `meta` of a post. `isOpen`: whether the caller may see the text. A protected post shows its other values to everybody, as in WordPress. */
export function showMeta(
  kind: PostKind,
  stored: StoredMeta,
  isOpen: boolean,
): Readonly<Record<string, Json>> {
  const { all, empty } = metaOf(kind);
  if (kind.showsAllMeta) return isOpen ? { ...empty, ...stored } : empty;
  const shown = all.show(stored);
  return isOpen || !Object.hasOwn(shown, FOOTNOTES) ? shown : { ...shown, [FOOTNOTES]: '' };
}

/** A write of `meta`. `part`: all keys, or those that revisions and autosaves keep. */
interface PostMetaWrite {
  readonly stored: StoredMeta;
  readonly identity: Identity;
  readonly part?: 'all' | 'kept';
}

/** The values to store after a write. Footnotes are cleaned unless the caller may write any HTML. @throws RestError as `RecordMeta.write` */
export function writeMeta(
  kind: PostKind,
  sent: unknown,
  { stored, identity, part = 'all' }: PostMetaWrite,
): StoredMeta {
  const values = metaOf(kind)[part].write({ identity, sent, stored });
  if (values === undefined) return stored;
  const footnotes = own<Json>(values, FOOTNOTES);
  const isTrusted = can(identity, 'unfiltered_html') || footnotes === own<Json>(stored, FOOTNOTES);
  return isTrusted || typeof footnotes !== 'string'
    ? values
    : { ...values, [FOOTNOTES]: sanitiseFootnotes(footnotes) };
}

/** The values that a revision keeps. */
export function toRevisionMeta({ meta, showsAllMeta }: PostKind, stored: StoredMeta): StoredMeta {
  if (showsAllMeta) return stored;
  return Object.fromEntries(
    meta.flatMap(({ key, revisions }) => {
      const value = own<Json>(stored, key);
      return revisions && value !== undefined ? [[key, value]] : [];
    }),
  );
}

/** Whether two posts have the same values of the keys that revisions keep. */
export function hasSameMeta(kind: PostKind, left: StoredMeta, right: StoredMeta): boolean {
  return kind.meta.every(
    ({ key, revisions, default: usual }) =>
      !revisions ||
      JSON.stringify(own<Json>(left, key) ?? usual) === JSON.stringify(own<Json>(right, key) ?? usual),
  );
}
