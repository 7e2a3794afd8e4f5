import { can, type Identity } from '../../lib/core/identity.ts';
import { own } from '../../lib/core/objects.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import { sanitiseFootnotes } from '../content/footnotes.ts';
import { toShownMeta, toStoredMeta, type MetaValues } from '../model/meta-values.ts';
import type { PostKind } from './kind.ts';

/** Footnotes are part of the text of a post. They are protected and cleaned as it is. */
const FOOTNOTES = 'footnotes';

/** The footnotes of a post, as JSON text. */
export function toFootnotes(meta: MetaValues): string {
  return String(own<Json>(meta, FOOTNOTES) ?? '');
}

/** `meta` of a post. `isOpen`: whether the caller may see the text. A protected post shows its other values to everybody, as in WordPress. */
export function showMeta({ meta, showsAllMeta }: PostKind, stored: MetaValues, isOpen: boolean): Record<string, Json> {
  const registered = toShownMeta(meta, stored);
  if (showsAllMeta) return isOpen ? { ...registered, ...stored } : toShownMeta(meta, {});
  return isOpen || !Object.hasOwn(registered, FOOTNOTES) ? registered : { ...registered, [FOOTNOTES]: '' };
}

/** The values to store after a write. Footnotes are cleaned unless the caller may write any HTML. @throws RestError as `toStoredMeta` */
export function writeMeta({ meta }: Pick<PostKind, 'meta'>, sent: unknown, { stored, identity }: { stored: MetaValues; identity: Identity }): MetaValues {
  const values = toStoredMeta(meta, sent, { stored, identity });
  const footnotes = own<Json>(values, FOOTNOTES);
  const isTrusted = can(identity, 'unfiltered_html') || footnotes === own<Json>(stored, FOOTNOTES);
  return isTrusted || typeof footnotes !== 'string' ? values : { ...values, [FOOTNOTES]: sanitiseFootnotes(footnotes) };
}

/** The values that a revision keeps. */
export function toRevisionMeta({ meta, showsAllMeta }: PostKind, stored: MetaValues): MetaValues {
  if (showsAllMeta) return stored;
  return Object.fromEntries(meta.flatMap(({ key, revisions }) => {
    const value = own<Json>(stored, key);
    return revisions && value !== undefined ? [[key, value]] : [];
  }));
}

/** Whether two posts have the same values of the keys that revisions keep. */
export function hasSameMeta(kind: PostKind, left: MetaValues, right: MetaValues): boolean {
  return kind.meta.every(({ key, revisions, default: usual }) => !revisions || JSON.stringify(own<Json>(left, key) ?? usual) === JSON.stringify(own<Json>(right, key) ?? usual));
}
