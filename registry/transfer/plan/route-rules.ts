import { findFaults } from '../../../lib/core/check-document.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toStoredTexts } from '../../core/content/sanitise/text-fields.ts';
import { toZone } from '../../core/content/site-time.ts';
import { cutSlug } from '../../core/content/slug.ts';
import { findNameFault, libraryTypeOf } from '../../core/files/library-file.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import { cutText, listTooLong } from '../../core/model/text-bounds.ts';
import { isMetaValue } from '../../core/records/meta-values.ts';
import { SECRETS } from '../../core/settings/options.ts';
import { toOptionRules, toRecordRules } from '../fixture/fixture-rules.ts';
import type { ReadResult, Item, LeftOut } from '../items/item.ts';
import { IMPORTS } from '../items/ledger.ts';

/** Records what of an item is left out, and why. */
type Report = (what: string, reason: string) => void;

/** Holds items to one rule: the item, or what remains of it; null: it is left out. */
type Rule = (item: Item, report: Report) => Item | null;

const changed = (item: Item, values: Item['values']): Item => ({
  ...item,
  values: { ...item.values, ...values },
});

/** What a site keeps for itself: its secret, and what was imported from where. */
const OWN_GROUPS: ReadonlySet<unknown> = new Set([SECRETS, IMPORTS]);

const keepOwn: Rule = (item, report) => {
  const { collection, values } = item;
  if (collection !== 'options' || !OWN_GROUPS.has(own(values, 'group'))) return item;
  report(collection, 'each site has its own');
  return null;
};

const RECORDS = toRecordRules(toZone('0'));
const OPTIONS = toOptionRules();

/** Words, dates and settings are those that the routes accept. */
const checkWords: Rule = (item, report) => {
  const { collection, values } = item;
  const isSetting = collection === 'options' && own(values, 'group') === 'site';
  const key = String(own(values, 'key'));
  const rules = isSetting ? { value: own(OPTIONS, key) } : (own(RECORDS, collection) ?? {});
  for (const [field, rule] of Object.entries(rules)) {
    const value = own(values, field);
    const [fault] = rule === undefined || value === undefined ? [] : findFaults(field, value, rule);
    if (fault === undefined) continue;
    report(isSetting ? `setting ${key}` : collection, isSetting ? fault.replace(/^value: /, '') : fault);
    return null;
  }
  return item;
};

/** Texts are of their kinds. Titles and content stay as they are, because an import is a right of those with `unfiltered_html`. */
const keepKinds: Rule = (item) => ({ ...item, values: toStoredTexts(item.collection, item.values, true) });

const cut = (field: string, text: string, most: number): string =>
  field.endsWith('slug') ? cutSlug(text, most) : cutText(text, { most });

/** No text is longer than one that a route accepts. */
const boundTexts: Rule = (item, report) => {
  const { collection, values } = item;
  let kept: Item = item;
  for (const { field, most, otherwise } of listTooLong(collection, values)) {
    const what = `${field} of ${collection}`;
    if (otherwise === 'refuse') {
      report(collection, `${field} is longer than ${most} characters`);
      return null;
    }
    report(what, `longer than ${most} characters; it is ${otherwise === 'cut' ? 'cut there' : 'left empty'}`);
    const value = own(values, field);
    kept = changed(kept, {
      [field]: typeof value !== 'string' ? {} : otherwise === 'cut' ? cut(field, value, most) : '',
    });
  }
  const email = own(kept.values, 'email');
  return collection === 'users' &&
    kept !== item &&
    typeof email === 'string' &&
    own(values, 'email_key') !== undefined
    ? changed(kept, { email_key: fold(email) })
    : kept;
};

const ADDRESS = /^https?:\/\//;

/** Files have names and types that can be uploaded. Their media types are those of their names, as with an upload. */
const checkFiles: Rule = (item, report) => {
  const { collection, values } = item;
  const file = own(values, 'file');
  if (collection !== 'media' || typeof file !== 'string' || file === '' || ADDRESS.test(file)) return item;
  const fault = findNameFault(file);
  if (fault !== undefined) {
    report(`file ${file.slice(0, 100)}`, fault);
    return null;
  }
  const sizes = own(values, 'sizes');
  const copies = isObject(sizes) ? Object.entries(sizes) : [];
  const kept = copies.filter(([name, size]) => {
    const copy = isObject(size) ? own(size, 'file') : undefined;
    const wrong =
      typeof copy === 'string' && !copy.includes('/')
        ? findNameFault(copy)
        : 'it names no file of the same folder';
    if (wrong !== undefined) report(`copy ${name} of media`, wrong);
    return wrong === undefined;
  });
  return changed(item, {
    mime_type: libraryTypeOf(file) ?? '',
    ...(kept.length === copies.length ? {} : { sizes: Object.fromEntries(kept) as Json }),
  });
};

/** What the meta of a record is registered for. */
const META_OF: Readonly<Record<string, (values: Item['values']) => Json | undefined>> = {
  posts: (values) => own(values, 'type'),
  terms: (values) => own(values, 'taxonomy'),
  users: () => 'user',
  comments: () => 'comment',
};

/** The type or taxonomy of an item, or `user` or `comment`. */
export const ownerOf = ({ collection, values }: Item): string => String(own(META_OF, collection)?.(values));

/** Values of registered keys fit their schema. Other keys stay, and are shown to nobody. */
const checkMeta =
  (content: ContentModel): Rule =>
  (item, report) => {
    const meta = own(item.values, 'meta');
    const keys = content.meta.get(ownerOf(item)) ?? [];
    if (!isObject(meta)) return item;
    const wrong = keys.filter((key) => Object.hasOwn(meta, key.key) && !isMetaValue(key, own(meta, key.key)));
    for (const { key } of wrong) report(`meta key ${key}`, 'its value does not fit the schema of the key');
    return wrong.length === 0
      ? item
      : changed(item, {
          meta: Object.fromEntries(
            Object.entries(meta).filter(([key]) => !wrong.some((each) => each.key === key)),
          ) as Json,
        });
  };

/** The same items, held to the rules of the routes: whatever comes in by a file could have been written over HTTP. What is left out or changed is told. */
export async function* holdRules(
  found: AsyncIterable<ReadResult>,
  content: ContentModel,
): AsyncGenerator<ReadResult> {
  const rules: readonly Rule[] = [keepOwn, checkWords, keepKinds, boundTexts, checkFiles, checkMeta(content)];
  const refused = new Set<number>();
  for await (const each of found) {
    if ('leftOut' in each) {
      yield each;
      continue;
    }
    const { place, collection, id, values } = each.item;
    // The history of a post belongs to it.
    if (collection === 'post_history' && refused.has(Number(own(values, 'post')))) continue;
    const told: LeftOut[] = [];
    const item = rules.reduce<Item | null>(
      (rest, rule) =>
        rest === null ? null : rule(rest, (what, reason) => told.push({ place, what, reason })),
      each.item,
    );
    for (const leftOut of told) yield { leftOut };
    if (item !== null) yield { item };
    else if (collection === 'posts') refused.add(id);
  }
}
