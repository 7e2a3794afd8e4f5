import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { MetaKey } from '../../core/model/meta-key.ts';
import type { LeftOut } from '../items/item.ts';
import { toMetaValue } from '../items/read-context.ts';
import { isSerialised, PhpError, readPhpValue } from './php-value.ts';

/** The meta of a record: values by key, and the keys that were left out. */
interface ReadMeta {
  readonly meta: Readonly<Record<string, Json>>;
  readonly leftOut: readonly LeftOut[];
}

/** The value that a text stands for. A text that only looks serialised stays a text. */
export function readMetaText(text: string): Json {
  if (!isSerialised(text)) return text;
  try {
    return readPhpValue(text);
  } catch (error) {
    if (!(error instanceof PhpError)) throw error;
    return text;
  }
}

/** What WordPress notes for itself: locks, caches, states of the editor and of the trash. */
const NOISE =
  /^_(?:edit_(?:lock|last)|encloseme|pingme|wp_old_date|oembed_\w+|transient_\w+|wp_trash_meta_\w+|wp_desired_post_slug|wp_attachment_(?:backup_sizes|context|is_custom_\w+)|wp_ignored_hooked_blocks|customize_\w+|starter_content_theme|menu_item_orphaned)$/;

/** Whether nothing is lost without this meta key, so that the report does not name it. */
export const isNoise = (key: string): boolean => NOISE.test(key);

/** Reads registered meta keys. `of`: type or taxonomy of the record; `known`: keys that the reader itself uses. */
export function readMeta(
  place: string,
  entries: ReadonlyMap<string, readonly string[]>,
  { of, keys, known }: { of: string; keys: readonly MetaKey[]; known: ReadonlySet<string> },
): ReadMeta {
  const meta: Record<string, Json> = {};
  const leftOut: LeftOut[] = [];
  for (const [key, texts] of entries) {
    if (known.has(key)) continue;
    const registered = keys.find((each) => each.key === key);
    if (registered === undefined && isNoise(key)) continue;
    const values = registered?.type === 'string' ? texts : texts.map(readMetaText);
    const isUnread =
      values.some((each) => typeof each === 'string' && isSerialised(each)) && registered?.type !== 'string';
    const value = registered === undefined || isUnread ? undefined : toMetaValue(registered, values);
    if (value !== undefined) meta[key] = value;
    else
      leftOut.push({
        place,
        what: `meta key ${key}`,
        reason:
          registered === undefined
            ? 'it is not registered; declare it in "content"'
            : `its value is not of the type ${registered.type}`,
        ...(registered === undefined ? { undeclared: [{ kind: 'meta', name: key, of, values }] } : {}),
      });
  }
  return { meta, leftOut };
}
