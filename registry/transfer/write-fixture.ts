import { isObject, own } from '../../lib/core/objects.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { ContentModel } from '../model/content-model.ts';
import { pick, revisionListOf, type Row } from '../site/fixture-rows.ts';
import { ROW_FIELDS } from '../site/fixture-rules.ts';
import type { ExportedItems } from './export-items.ts';
import type { ExportedSite, Item } from './item.ts';

type Values = Item['values'];

const SITE = 'site';
/** Settings that the member `site` holds, because dates are read with them. All others are rows of `options`. */
const SITE_KEYS: ReadonlySet<unknown> = new Set(['timezone_string', 'gmt_offset']);

const isOfSite = (values: Values): boolean =>
  own(values, 'group') === SITE && SITE_KEYS.has(own(values, 'key'));

/** A row without members that are empty, which are what a missing member stands for. */
function toRow(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([, value]) =>
        value !== '' &&
        value !== null &&
        !(Array.isArray(value) && value.length === 0) &&
        !(isObject(value) && Object.keys(value).length === 0),
    ),
  );
}

type Rows = AsyncIterable<Row>;

/** Writes a fixture list by list. What a list needs of other records is remembered as a word for each id. */
class FixtureWriter {
  readonly #content: ContentModel;
  readonly #items: ExportedItems;
  /** Type of each post, and taxonomy of each term, by id. */
  readonly #types = new Map<number, string>();
  readonly #taxonomies = new Map<number, string>();

  constructor(content: ContentModel, items: ExportedItems) {
    this.#content = content;
    this.#items = items;
  }

  async *write(): AsyncGenerator<string> {
    yield `{\n"site": ${JSON.stringify(await this.#readSite())}`;
    for await (const { id, values } of this.#items.of('terms'))
      this.#taxonomies.set(id, String(own(values, 'taxonomy')));
    for await (const { id, values } of this.#items.of('posts'))
      if (this.#content.types.has(String(own(values, 'type'))))
        this.#types.set(id, String(own(values, 'type')));
    for (const [list, rows] of this.#listRows()) yield* writeList(list, rows);
    yield '\n}\n';
  }

  async #readSite(): Promise<Row> {
    const site: Record<string, Json> = {};
    for await (const { values } of this.#items.of('options'))
      if (isOfSite(values)) site[String(own(values, 'key'))] = own(values, 'value') ?? null;
    return site;
  }

  /** The lists of the fixture. Their rows are read when the list is written. */
  *#listRows(): Generator<readonly [list: string, rows: Rows]> {
    yield [
      'options',
      this.#rowsOf('options', ({ values }) =>
        isOfSite(values)
          ? null
          : {
              group: own(values, 'group') ?? '',
              key: String(own(values, 'key')),
              value: own(values, 'value') ?? null,
            },
      ),
    ];
    yield [
      'users',
      this.#rowsOf('users', ({ id, values }) =>
        toRow({
          id,
          ...pick(values, ROW_FIELDS.users),
          registered: own(values, 'registered_gmt') ?? '',
          ...this.#toUserMeta(values),
        }),
      ),
    ];
    for (const name of new Set(this.#taxonomies.values())) {
      const taxonomy = this.#content.taxonomies.get(name);
      if (taxonomy !== undefined)
        yield [
          taxonomy.base,
          this.#rowsOf('terms', ({ id, values }) =>
            own(values, 'taxonomy') === name
              ? toRow({
                  id,
                  ...pick(values, ROW_FIELDS.terms),
                  slug: own(values, 'slug') ?? '',
                  ml_language: own(values, 'language') ?? '',
                })
              : null,
          ),
        ];
    }
    yield [
      'media',
      this.#rowsOf('media', ({ id, values }) => toRow({ id, ...pick(values, ROW_FIELDS.media) })),
    ];
    const types = [...new Set(this.#types.values())].flatMap((name) => this.#content.types.get(name) ?? []);
    for (const { name, base, taxonomies } of types) {
      yield [
        base,
        this.#rowsOf('posts', ({ id, values }) =>
          own(values, 'type') === name
            ? toRow({
                id,
                ...pick(values, ROW_FIELDS.posts),
                ml_language: own(values, 'language') ?? '',
                ...this.#toTerms(values, taxonomies),
              })
            : null,
        ),
      ];
    }
    for (const type of types) {
      yield [
        revisionListOf(type),
        this.#rowsOf('revisions', ({ id, values }) =>
          this.#types.get(Number(own(values, 'parent'))) === type.name
            ? toRow({ id, ...pick(values, ROW_FIELDS.revisions) })
            : null,
        ),
      ];
    }
    yield [
      'comments',
      this.#rowsOf('comments', ({ id, values }) =>
        this.#types.has(Number(own(values, 'post')))
          ? toRow({ id, ...pick(values, ROW_FIELDS.comments) })
          : null,
      ),
    ];
  }

  /** null: the item does not belong to the list. */
  async *#rowsOf(collection: string, toRowOf: (item: Item) => Row | null): AsyncGenerator<Row> {
    for await (const item of this.#items.of(collection)) {
      const row = toRowOf(item);
      if (row !== null) yield row;
    }
  }

  #toUserMeta(values: Values): Row {
    const meta = own(values, 'meta');
    return isObject(meta)
      ? pick(
          meta as Row,
          (this.#content.meta.get('user') ?? []).map(({ key }) => key),
        )
      : {};
  }

  /** The terms of a post, one list for each of its taxonomies. */
  #toTerms(values: Values, names: readonly string[]): Row {
    const ids = ['categories', 'tags', 'terms'].flatMap(
      (field) => (own(values, field) ?? []) as readonly number[],
    );
    return Object.fromEntries(
      names.map((name) => [
        this.#content.taxonomies.get(name)?.base ?? name,
        ids.filter((id) => this.#taxonomies.get(id) === name),
      ]),
    );
  }
}

/** Writes a list as a member of the document; nothing if it has no rows. */
async function* writeList(list: string, rows: Rows): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const row of rows) {
    yield `${isEmpty ? `,\n${JSON.stringify(list)}: [\n` : ',\n'}${JSON.stringify(row)}`;
    isEmpty = false;
  }
  if (!isEmpty) yield '\n]';
}

/**
 * Writes items as a fixture (docs/fixtures.md). Not part of the format: passwords of users, and records of the namespaces. Ids are held in
 * memory, but no texts. The reader of a fixture holds all of it.
 */
export function writeFixture(items: ExportedItems, { content }: ExportedSite): AsyncGenerator<string> {
  return new FixtureWriter(content, items).write();
}
