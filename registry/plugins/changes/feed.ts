import type { CallerId, Identity } from '../../../lib/core/identity.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Change, Positions } from '../../../lib/store/change.ts';
import { StoreError } from '../../../lib/store/store.ts';
import { type Ports, servicesOf } from '../../plugin.ts';
import type { Cursors, FeedPosition } from './cursor.ts';
import { changesError } from './errors.ts';
import { createKinds, loadFacts, tagsOf, toFacts, type Facts, type FeedKind } from './kinds.ts';

/** What a caller asks the feed for. */
export interface FeedQuery {
  readonly identity: Identity;
  readonly kinds: readonly FeedKind[];
  /** Empty: all. */
  readonly types: readonly string[];
  /** null: all. */
  readonly language: string | null;
}

/** One change as a caller sees it. */
export interface FeedItem {
  readonly cursor: string;
  readonly collection: string;
  readonly type: string;
  readonly id: number;
  readonly op: 'put' | 'remove';
  readonly at: string;
  readonly tags: readonly string[];
  readonly version?: number;
  readonly language?: string;
  readonly by?: CallerId;
  readonly from?: string;
  readonly record?: unknown;
}

/** A part of the feed. `isLast`: nothing was left when it was read. */
export interface FeedPage {
  readonly items: readonly FeedItem[];
  readonly place: FeedPosition;
  readonly isLast: boolean;
}

/** Most changes of the log that one page looks through. A caller who sees few of them gets a short page. */
const MOST_READ = 20_000;

/** Fewest that are read at once, so that a caller who asks for single changes and sees few of them costs no query for each. */
const LEAST_READ = 100;

/** Most pages that are shared at once. */
const MOST_SHARED = 20;

type Known = Facts & { readonly id: number; readonly version: number };

/** Reads the feed of a site. */
export class Feed {
  readonly kinds: readonly FeedKind[];
  readonly cursors: Cursors;
  readonly #ports: Ports;
  #shared: { readonly revision: number; readonly pages: Map<string, Promise<FeedPage>> } = {
    revision: -1,
    pages: new Map(),
  };

  constructor(ports: Ports, cursors: Cursors) {
    this.#ports = ports;
    this.cursors = cursors;
    this.kinds = createKinds(ports);
  }

  /** Where a feed begins: with the oldest change that is kept, with what comes, or with all records as they are. */
  async begin(from: 'oldest' | 'now' | 'all'): Promise<FeedPosition> {
    const { changes } = this.#ports;
    if (from === 'oldest') return { at: this.#only(await changes.starts()) };
    const at = this.#only(await changes.heads());
    return from === 'now' ? { at } : { at, scan: { collection: this.kinds[0]?.collection ?? '', id: 0 } };
  }

  /** @throws RestError `rest_invalid_cursor` for a place that this site has not reached */
  async check({ at }: FeedPosition): Promise<void> {
    const heads = await this.#ports.changes.heads();
    for (const [name, revision] of Object.entries(at))
      if (revision > (own(heads, name) ?? -1))
        throw changesError('rest_invalid_cursor', {
          message:
            'The cursor is later than the newest change of the site, whose content may have been restored. Begin with after=all.',
        });
  }

  /** @throws StoreError `expired` when changes after the place are no longer kept */
  async read(place: FeedPosition, query: FeedQuery, limit: number): Promise<FeedPage> {
    await servicesOf(this.#ports).schedule.publishDue();
    if (place.scan !== undefined) return this.#readRecords(place, query, limit);
    return query.identity.id === 0
      ? this.#share(place.at, query, limit)
      : this.#readChanges(place.at, query, limit);
  }

  /** Thousands of anonymous listeners wait at the same place. They share a page, until something has changed again. */
  async #share(at: Positions, query: FeedQuery, limit: number): Promise<FeedPage> {
    const revision = await this.log.revision();
    if (revision !== this.#shared.revision) this.#shared = { revision, pages: new Map() };
    const { pages } = this.#shared;
    const { kinds, types, language } = query;
    const key = JSON.stringify([at, kinds.map(({ name }) => name), types, language, limit]);
    const known = pages.get(key);
    if (known !== undefined) return known;
    const page = this.#readChanges(at, query, limit);
    if (pages.size < MOST_SHARED) pages.set(key, page);
    return page;
  }

  /** The store of the site. */
  get store(): Ports['store'] {
    return this.#ports.store;
  }

  /** The log that the feed shows. */
  get log(): Ports['changes'] {
    return this.#ports.changes;
  }

  #only(positions: Positions): Positions {
    const names = new Set(this.kinds.map(({ collection }) => collection));
    return Object.fromEntries(Object.entries(positions).filter(([name]) => names.has(name)));
  }

  async #readChanges(from: Positions, query: FeedQuery, limit: number): Promise<FeedPage> {
    const items: FeedItem[] = [];
    const at: Record<string, number> = { ...from };
    for (let looked = 0; items.length < limit && looked < MOST_READ;) {
      const asked = Math.max(LEAST_READ, limit - items.length);
      const after = Object.fromEntries(
        query.kinds.map(({ collection }) => [collection, own(at, collection) ?? 0]),
      );
      const { changes } = await this.#ports.changes.read(after, asked);
      looked += changes.length;
      const see = await this.#look(query, changes);
      for (const change of changes) {
        if (items.length === limit) return { items, place: { at }, isLast: false };
        at[change.collection] = change.revision;
        const item = see(change);
        if (item !== null) items.push({ cursor: this.cursors.write({ at }), ...item });
      }
      if (changes.length < asked) return { items, place: { at }, isLast: true };
    }
    return { items, place: { at }, isLast: false };
  }

  /** What the caller sees of changes, by what the records are now. */
  async #look(
    query: FeedQuery,
    changes: readonly Change[],
  ): Promise<(change: Change) => Omit<FeedItem, 'cursor'> | null> {
    const kinds = new Map(query.kinds.map((kind) => [kind.collection, kind]));
    const records = new Map<string, ReadonlyMap<number, Known>>();
    for (const kind of query.kinds) {
      const ids = changes.filter(({ collection }) => collection === kind.collection).map(({ id }) => id);
      if (ids.length > 0) records.set(kind.collection, await loadFacts(this.#ports, kind, ids));
    }
    const sees = await this.#toSees(
      query,
      changes.flatMap(({ collection, id, fields, before }) => {
        const kind = kinds.get(collection) as FeedKind;
        const now = records.get(collection)?.get(id);
        return [fields, before, now].flatMap((facts) => (facts ? [kind.postOf(facts)] : []));
      }),
    );
    return (change) => {
      const kind = kinds.get(change.collection) as FeedKind;
      const { id, before, fields } = change;
      const now = records.get(change.collection)?.get(id) ?? null;
      const common = { collection: kind.name, id, at: new Date(change.at).toISOString() };
      if (now !== null && sees(kind, now))
        return this.#toPut(query, kind, { ...common, now, change, tags: tagsOf(kind, id, [now, before]) });
      if (before === null || !sees(kind, { ...before, id })) return null;
      const type = kind.typeOf(before);
      return {
        ...common,
        type,
        op: 'remove',
        tags: tagsOf(kind, id, [before, now === null ? null : fields]),
      };
    };
  }

  #toPut(
    { identity }: FeedQuery,
    kind: FeedKind,
    {
      now,
      change,
      ...common
    }: Pick<FeedItem, 'collection' | 'id' | 'at' | 'tags'> & {
      readonly now: Known;
      readonly change: Pick<Change, 'by' | 'from'> | null;
    },
  ): Omit<FeedItem, 'cursor'> {
    const language = kind.languageOf(now);
    return {
      ...common,
      type: kind.typeOf(now),
      op: 'put',
      version: now.version,
      ...(language === '' ? {} : { language }),
      ...(change !== null && kind.mayEdit(identity, now) ? { by: change.by, from: change.from } : {}),
    };
  }

  /** Whether the caller sees a record of this kind, and asked for it. */
  async #toSees(
    { identity, types, language }: FeedQuery,
    posts: readonly number[],
  ): Promise<(kind: FeedKind, facts: Facts & { readonly id: number }) => boolean> {
    const [postKind] = this.kinds;
    const parents =
      postKind === undefined
        ? new Map<number, Known>()
        : await loadFacts(
            this.#ports,
            postKind,
            posts.filter((id) => id > 0),
          );
    const seesPost = (id: number): boolean => {
      const post = parents.get(id);
      return post !== undefined && postKind?.sees(identity, post, { seesPost: () => false }) === true;
    };
    return (kind, facts) =>
      (types.length === 0 || types.includes(kind.typeOf(facts))) &&
      (language === null || ['', language].includes(kind.languageOf(facts))) &&
      kind.sees(identity, facts, { seesPost });
  }

  /** All records as they are, by collection and id, and then the changes since the first of them was read. */
  async #readRecords(place: FeedPosition, query: FeedQuery, limit: number): Promise<FeedPage> {
    const { at, scan } = place;
    const begin = query.kinds.findIndex(({ collection }) => collection === scan?.collection);
    const items: FeedItem[] = [];
    let last = scan?.id ?? 0;
    for (const kind of query.kinds.slice(Math.max(0, begin))) {
      for (;;) {
        const asked = Math.max(LEAST_READ, limit - items.length);
        const { records } = await this.#ports.store.find({
          collection: kind.collection,
          where: { op: 'gt', field: 'id', value: last },
          order: [{ field: 'id', direction: 'asc' }],
          limit: asked,
          fields: kind.fields,
        });
        const found = records.map((record) => toFacts(record) as Known);
        const sees = await this.#toSees(query, found.map(kind.postOf));
        for (const now of found) {
          if (items.length === limit) break;
          last = now.id;
          if (!sees(kind, now)) continue;
          const common = { collection: kind.name, id: now.id, at: new Date(this.#ports.now()).toISOString() };
          const tags = tagsOf(kind, now.id, [now]);
          items.push({
            cursor: this.cursors.write({ at, scan: { collection: kind.collection, id: now.id } }),
            ...this.#toPut(query, kind, { ...common, now, change: null, tags }),
          });
        }
        if (items.length >= limit)
          return { items, place: { at, scan: { collection: kind.collection, id: last } }, isLast: false };
        if (records.length < asked) break;
      }
      last = 0;
    }
    return { items, place: { at }, isLast: false };
  }
}

/** Whether the error says that changes are no longer kept. */
export const isExpired = (error: unknown): boolean => error instanceof StoreError && error.code === 'expired';
