import { findFaults } from '../../../lib/core/check-document.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { oneOf } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toStoredTexts } from '../../core/content/sanitise/text-fields.ts';
import { toZone } from '../../core/content/site-time.ts';
import { cutSlug } from '../../core/content/slug.ts';
import { findNameFault, libraryTypeOf } from '../../core/files/library-file.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import { isMetaValue } from '../../core/records/meta-values.ts';
import { cutText, listTooLong } from '../../core/records/text-bounds.ts';
import { SECRETS } from '../../core/settings/options.ts';
import { toOptionRules, toRecordRules } from '../fixture/fixture-rules.ts';
import { idsIn, type Item, TERM_FIELDS, termIdsIn } from '../items/item.ts';
import { IMPORTS, type Ledger } from '../items/ledger.ts';
import { changed, joinRules, type Rule } from '../items/rule.ts';
import type { Draft } from './draft.ts';

type Fields = Readonly<Record<string, Json>>;

/** What records can have because the site declares it: `post meta mood`. */
export const listDeclared = ({ types, meta }: ContentModel): readonly string[] => [
  ...[...meta].flatMap(([of, keys]) => keys.map(({ key }) => `${of} meta ${key}`)),
  ...[...types.values()].flatMap(({ name, taxonomies }) => taxonomies.map((each) => `${name} terms ${each}`)),
];

/** What an item has that an earlier import left out. */
interface Late {
  readonly item: Item;
  /** Id of its record. */
  readonly stored: number;
  readonly meta: readonly (readonly [key: string, value: Json])[];
  /** Ids in the store. */
  readonly terms: readonly { readonly field: string; readonly taxonomy: string; readonly id: number }[];
}

/** Finds what earlier imports of a source left out of the records that they created, because the site did not declare it then. */
export class LateValues {
  readonly #store: Store;
  readonly #ledger: Ledger;
  readonly #names: ReadonlySet<string>;
  /** Taxonomies of the terms of the source. */
  readonly #taxonomies = new Map<number, string>();

  /** `names`: what the site has declared since. */
  constructor(store: Store, ledger: Ledger, names: ReadonlySet<string>) {
    this.#store = store;
    this.#ledger = ledger;
    this.#names = names;
  }

  /** The values to add to the record of each item. Keys and taxonomies of which a record has a value stay as they are. */
  async find(
    draft: Draft,
    items: readonly Item[],
  ): Promise<readonly { readonly item: Item; readonly record: StoredRecord; readonly values: Fields }[]> {
    if (this.#names.size === 0) return [];
    for (const { collection, id, values } of items)
      if (collection === 'terms') this.#taxonomies.set(id, String(own(values, 'taxonomy')));
    const late = items.flatMap((item) => this.#toLate(draft, item));
    const found = await Promise.all(
      [...new Set(late.map(({ item }) => item.collection))].map(async (collection) => {
        const part = new Map(
          late.filter(({ item }) => item.collection === collection).map((each) => [each.stored, each]),
        );
        const { records } = await this.#store.find({ collection, where: oneOf('id', [...part.keys()]) });
        const taxonomies = await this.#readTaxonomies(records);
        return records.flatMap((record) => {
          const each = part.get(record.id);
          const values = each === undefined ? {} : toMissing(each, record, taxonomies);
          return each === undefined || Object.keys(values).length === 0
            ? []
            : [{ item: each.item, record, values }];
        });
      }),
    );
    return found.flat();
  }

  #toLate(draft: Draft, item: Item): readonly Late[] {
    const { collection, id, values } = item;
    const stored = this.#ledger.find(collection, id);
    if (stored === undefined) return [];
    const owner = ownerOf(item);
    const given = own(values, 'meta');
    const meta = Object.entries(isObject(given) ? given : {}).filter(([key]) =>
      this.#names.has(`${owner} meta ${key}`),
    ) as Late['meta'];
    const terms = TERM_FIELDS.flatMap((field) =>
      idsIn(values, field).flatMap((ref) => {
        const taxonomy = this.#taxonomies.get(ref) ?? '';
        const term = draft.find('terms', ref);
        return term !== undefined && this.#names.has(`${owner} terms ${taxonomy}`)
          ? [{ field, taxonomy, id: term }]
          : [];
      }),
    );
    return meta.length + terms.length === 0 ? [] : [{ item, stored, meta, terms }];
  }

  async #readTaxonomies(records: readonly StoredRecord[]): Promise<ReadonlyMap<number, unknown>> {
    const ids = records.flatMap(termIdsIn);
    if (ids.length === 0) return new Map();
    const { records: terms } = await this.#store.find({
      collection: 'terms',
      where: oneOf('id', [...new Set(ids)]),
      fields: ['taxonomy'],
    });
    return new Map(terms.map(({ id, taxonomy }) => [id, taxonomy]));
  }
}

function toMissing(
  { meta, terms }: Late,
  record: StoredRecord,
  taxonomies: ReadonlyMap<number, unknown>,
): Fields {
  const has = (own(record, 'meta') ?? {}) as Fields;
  const absent = meta.filter(([key]) => !Object.hasOwn(has, key));
  const values: Record<string, Json> =
    absent.length === 0 ? {} : { meta: { ...has, ...Object.fromEntries(absent) } };
  for (const field of TERM_FIELDS) {
    const ids = idsIn(record, field);
    const added = terms.filter(
      (term) => term.field === field && !ids.some((id) => taxonomies.get(id) === term.taxonomy),
    );
    if (added.length > 0) values[field] = [...ids, ...added.map(({ id }) => id)];
  }
  return values;
}

/** What a site keeps for itself: its secret, and what was imported from where. */
const OWN_GROUPS: ReadonlySet<unknown> = new Set([SECRETS, IMPORTS]);

const keepOwn: Rule = (item, report) =>
  item.collection === 'options' && OWN_GROUPS.has(own(item.values, 'group'))
    ? report('options', 'each site has its own')
    : item;

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
    if (fault !== undefined)
      return isSetting ? report(`setting ${key}`, fault.replace(/^value: /, '')) : report(collection, fault);
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
    if (otherwise === 'refuse') return report(collection, `${field} is longer than ${most} characters`);
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
  if (fault !== undefined) return report(`file ${file.slice(0, 100)}`, fault);
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

/** The rules of the routes: whatever comes in by a file could have been written over HTTP. */
export function createRouteRule(content: ContentModel): Rule {
  const rule = joinRules([keepOwn, checkWords, keepKinds, boundTexts, checkFiles, checkMeta(content)]);
  const refused = new Set<number>();
  return (item, report) => {
    // The history of a post belongs to it.
    if (item.collection === 'post_history' && refused.has(Number(own(item.values, 'post')))) return null;
    const kept = rule(item, report);
    if (kept === null && item.collection === 'posts') refused.add(item.id);
    return kept;
  };
}
