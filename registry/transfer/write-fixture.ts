import { isObject, own } from '../../lib/core/objects.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { ContentModel } from '../model/content-model.ts';
import { pick, revisionListOf, type Row } from '../site/fixture-rows.ts';
import { ROW_FIELDS } from '../site/fixture-rules.ts';
import type { ExportedSite, Item } from './item.ts';

type Values = Item['values'];

const SITE = 'site';
/** Settings that the member `site` holds, because dates are read with them. All others are rows of `options`. */
const SITE_KEYS: ReadonlySet<unknown> = new Set(['timezone_string', 'gmt_offset']);

/** A row without members that are empty, which are what a missing member stands for. */
function toRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '' && value !== null && !(Array.isArray(value) && value.length === 0) && !(isObject(value) && Object.keys(value).length === 0)));
}

/** Collects the lists of a fixture. */
class FixtureWriter {
  readonly #content: ContentModel;
  readonly #lists = new Map<string, string[]>();
  readonly #site: Record<string, Json> = {};
  /** Type of each post, and taxonomy of each term, by id. */
  readonly #types = new Map<number, string>();
  readonly #taxonomies = new Map<number, string>();

  constructor(content: ContentModel) {
    this.#content = content;
  }

  add({ collection, id, values }: Item): void {
    if (collection === 'options') this.#addOption(values);
    else if (collection === 'users') this.#push('users', toRow({ id, ...pick(values, ROW_FIELDS.users), registered: own(values, 'registered_gmt') ?? '', ...this.#toUserMeta(values) }));
    else if (collection === 'terms') this.#addTerm(id, values);
    else if (collection === 'media') this.#push('media', toRow({ id, ...pick(values, ROW_FIELDS.media) }));
    else if (collection === 'posts') this.#addPost(id, values);
    else if (collection === 'revisions') this.#addRevision(id, values);
    else if (collection === 'comments' && this.#types.has(Number(own(values, 'post')))) this.#push('comments', toRow({ id, ...pick(values, ROW_FIELDS.comments) }));
  }

  #push(list: string, row: Row): void {
    const rows = this.#lists.get(list);
    if (rows === undefined) this.#lists.set(list, [JSON.stringify(row)]);
    else rows.push(JSON.stringify(row));
  }

  #addOption(values: Values): void {
    const [key, value = null] = [String(own(values, 'key')), own(values, 'value')];
    if (own(values, 'group') === SITE && SITE_KEYS.has(key)) this.#site[key] = value;
    else this.#push('options', { group: own(values, 'group') ?? '', key, value });
  }

  #toUserMeta(values: Values): Row {
    const meta = own(values, 'meta');
    return isObject(meta) ? pick(meta as Row, (this.#content.meta.get('user') ?? []).map(({ key }) => key)) : {};
  }

  #addTerm(id: number, values: Values): void {
    const name = String(own(values, 'taxonomy'));
    const taxonomy = this.#content.taxonomies.get(name);
    this.#taxonomies.set(id, name);
    if (taxonomy !== undefined) this.#push(taxonomy.base, toRow({ id, ...pick(values, ROW_FIELDS.terms), slug: own(values, 'slug') ?? '', ml_language: own(values, 'language') ?? '' }));
  }

  /** The terms of a post, one list for each of its taxonomies. */
  #toTerms(values: Values, names: readonly string[]): Row {
    const ids = ['categories', 'tags', 'terms'].flatMap((field) => (own(values, field) ?? []) as readonly number[]);
    return Object.fromEntries(names.map((name) => [this.#content.taxonomies.get(name)?.base ?? name, ids.filter((id) => this.#taxonomies.get(id) === name)]));
  }

  #addPost(id: number, values: Values): void {
    const type = this.#content.types.get(String(own(values, 'type')));
    if (type === undefined) return;
    this.#types.set(id, type.name);
    this.#push(type.base, toRow({ id, ...pick(values, ROW_FIELDS.posts), ml_language: own(values, 'language') ?? '', ...this.#toTerms(values, type.taxonomies) }));
  }

  #addRevision(id: number, values: Values): void {
    const type = this.#content.types.get(this.#types.get(Number(own(values, 'parent'))) ?? '');
    if (type !== undefined) this.#push(revisionListOf(type), toRow({ id, ...pick(values, ROW_FIELDS.revisions) }));
  }

  * finish(): Generator<string> {
    yield `{\n"site": ${JSON.stringify(this.#site)}`;
    for (const [list, rows] of this.#lists) {
      yield `,\n${JSON.stringify(list)}: [\n`;
      for (const [index, row] of rows.entries()) yield index === 0 ? row : `,\n${row}`;
      yield '\n]';
    }
    yield '\n}\n';
  }
}

/**
 * Writes items as a fixture (docs/fixtures.md). Not part of the format: passwords of users, and records of the namespaces. The document is
 * held in memory, as by its reader.
 */
export async function* writeFixture(items: AsyncIterable<Item>, { content }: ExportedSite): AsyncGenerator<string> {
  const writer = new FixtureWriter(content);
  for await (const item of items) writer.add(item);
  yield* writer.finish();
}
