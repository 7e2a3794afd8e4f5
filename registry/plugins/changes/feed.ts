import {
  and,
  type CallerId,
  type Change,
  eq,
  gt,
  type Identity,
  oneOf,
  type Positions,
  type Predicate,
  StoreError,
} from '../../../lib/index.ts';
import { type Ports, own, remember, servicesOf } from '../../plugin.ts';
import { changesError, type Cursors, type FeedPosition } from './cursor.ts';
import {
  createKinds,
  type Facts,
  type FeedKind,
  type RecordFacts,
  loadFacts,
  postOf,
  tagsOf,
  toFacts,
} from './kinds.ts';

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
  readonly version?: number | undefined;
  readonly language?: string | undefined;
  readonly by?: CallerId | undefined;
  readonly from?: string | undefined;
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

/** Posts belong to no other posts. */
const NONE = (): boolean => false;

/** Reads the feed of a site. */
export class Feed {
  readonly kinds: ReturnType<typeof createKinds>;
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
    return from === 'now' ? { at } : { at, scan: { collection: '', id: 0, of: 0 } };
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
    return query.identity.id === 0 ? this.#share(place, query, limit) : this.#readPage(place, query, limit);
  }

  #readPage({ at, scan }: FeedPosition, query: FeedQuery, limit: number): Promise<FeedPage> {
    return scan === undefined
      ? this.#readChanges(at, query, limit)
      : this.#readRecords(at, scan, { query, limit });
  }

  /** Thousands of anonymous listeners wait at the same place. They share a page, until something has changed again. */
  async #share(place: FeedPosition, query: FeedQuery, limit: number): Promise<FeedPage> {
    const revision = await this.log.revision();
    if (revision !== this.#shared.revision) this.#shared = { revision, pages: new Map() };
    const { pages } = this.#shared;
    const { kinds, types, language } = query;
    const key = JSON.stringify([place, kinds.map(({ name }) => name), types, language, limit]);
    const read = (): Promise<FeedPage> => this.#readPage(place, query, limit);
    return pages.has(key) || pages.size < MOST_SHARED ? remember(pages, key, read) : read();
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
      const { see, moved } = await this.#look(query, changes);
      for (const change of changes) {
        if (items.length === limit) return { items, place: { at }, isLast: false };
        at[change.collection] = change.revision;
        const place = change === moved ? { at, scan: { collection: '', id: 0, of: change.id } } : { at };
        const item = see(change, place);
        if (item !== null) items.push(item);
        if (change === moved) return { items, place, isLast: false };
      }
      if (changes.length < asked) return { items, place: { at }, isLast: true };
    }
    return { items, place: { at }, isLast: false };
  }

  /**
   * What the caller sees of changes, by what the records are now. `moved`: the first change by which a post appears or disappears that has
   * comments or files, which have not changed themselves.
   */
  async #look(
    query: FeedQuery,
    changes: readonly Change[],
  ): Promise<{
    readonly see: (change: Change, place: FeedPosition) => FeedItem | null;
    readonly moved: Change | undefined;
  }> {
    const kinds = new Map(query.kinds.map((kind) => [kind.collection, kind]));
    const records = new Map<string, ReadonlyMap<number, RecordFacts>>();
    for (const kind of query.kinds) {
      const ids = changes.filter(({ collection }) => collection === kind.collection).map(({ id }) => id);
      if (ids.length > 0) records.set(kind.collection, await loadFacts(this.#ports, kind, ids));
    }
    const posts = new Set<number>();
    for (const { collection, id, fields, before } of changes) {
      const kind = kinds.get(collection) as FeedKind;
      const now = records.get(collection)?.get(id);
      for (const facts of [fields, before, now]) if (facts) posts.add(postOf(kind, facts));
    }
    const sees = await this.#toSees(query, posts);
    const see = (change: Change, place: FeedPosition): FeedItem | null => {
      const kind = kinds.get(change.collection) as FeedKind;
      const { id, before, fields } = change;
      const now = records.get(change.collection)?.get(id) ?? null;
      if (now !== null && sees(kind, now)) return this.#toPut(query, kind, { now, change, place });
      if (before === null) return null;
      const was = { ...before, id };
      // A file is seen in all languages, and goes with a post of any.
      const isGone = (now === null || !sees(kind, now, true)) && sees(kind, was, true);
      if (!isGone && !sees(kind, was)) return null;
      return {
        cursor: this.cursors.write(place),
        collection: kind.name,
        id,
        at: new Date(change.at).toISOString(),
        type: kind.typeOf(before),
        op: 'remove',
        tags: tagsOf(kind, id, [before, now === null ? null : fields]),
      };
    };
    return { see, moved: await this.#findMoved(query, changes, records.get('posts')) };
  }

  async #findMoved(
    { identity, kinds }: FeedQuery,
    changes: readonly Change[],
    posts: ReadonlyMap<number, RecordFacts> | undefined,
  ): Promise<Change | undefined> {
    const [postKind] = this.kinds;
    const isMoved = (before: RecordFacts, now: RecordFacts): boolean =>
      postKind.languageOf(before) !== postKind.languageOf(now) ||
      postKind.sees(identity, before, { seesPost: NONE }) !==
        postKind.sees(identity, now, { seesPost: NONE });
    let moved = changes.filter(({ collection, id, version, before }) => {
      const now = collection === 'posts' ? posts?.get(id) : undefined;
      return now !== undefined && before !== null && isMoved({ ...before, id, version }, now);
    });
    const own = async (list: readonly Change[]): Promise<boolean> => {
      for (const { collection, postField } of list.length === 0 ? [] : kinds) {
        if (postField === null) continue;
        const where = oneOf(postField, [...new Set(list.map(({ id }) => id))]);
        const { records } = await this.#ports.store.find({ collection, where, fields: [], limit: 1 });
        if (records.length > 0) return true;
      }
      return false;
    };
    if (!(await own(moved))) return undefined;
    // The first of them by halves, because a post may have any number of comments.
    while (moved.length > 1) {
      const half = moved.slice(0, moved.length / 2);
      moved = (await own(half)) ? half : moved.slice(half.length);
    }
    return moved[0];
  }

  /** One object literal: a reader that was off gets a hundred thousand of them. */
  #toPut(
    { identity }: FeedQuery,
    kind: FeedKind,
    {
      now,
      change,
      place,
    }: { readonly now: RecordFacts; readonly change: Change | null; readonly place: FeedPosition },
  ): FeedItem {
    const language = kind.languageOf(now);
    const isEditor = change !== null && kind.mayEdit(identity, now);
    return {
      cursor: this.cursors.write(place),
      collection: kind.name,
      id: now.id,
      at: new Date(change?.at ?? this.#ports.now()).toISOString(),
      tags: tagsOf(kind, now.id, [now, change?.before ?? null]),
      type: kind.typeOf(now),
      op: 'put',
      version: now.version,
      language: language === '' ? undefined : language,
      by: isEditor ? change.by : undefined,
      from: isEditor ? change.from : undefined,
    };
  }

  /** Whether the caller sees a record of this kind, and asked for it. `inAll`: in whatever language. */
  async #toSees(
    { identity, types, language }: FeedQuery,
    posts: Iterable<number>,
  ): Promise<(kind: FeedKind, facts: Facts & { readonly id: number }, inAll?: boolean) => boolean> {
    const [postKind] = this.kinds;
    const ids = [...posts].filter((id) => id > 0);
    const parents = await loadFacts(this.#ports, postKind, ids);
    const seesPost = (id: number): boolean => {
      const post = parents.get(id);
      return post !== undefined && postKind.sees(identity, post, { seesPost: NONE });
    };
    return (kind, facts, inAll = false) =>
      (types.length === 0 || types.includes(kind.typeOf(facts))) &&
      (inAll || language === null || ['', language].includes(kind.languageOf(facts))) &&
      kind.sees(identity, facts, { seesPost });
  }

  /** Records as they are, by collection and id, and then the changes since the first of them was read. */
  async #readRecords(
    at: Positions,
    scan: NonNullable<FeedPosition['scan']>,
    { query, limit }: { readonly query: FeedQuery; readonly limit: number },
  ): Promise<FeedPage> {
    const { of } = scan;
    const begin = query.kinds.findIndex(({ collection }) => collection === scan.collection);
    const items: FeedItem[] = [];
    let last = scan.id;
    for (const kind of query.kinds.slice(Math.max(0, begin))) {
      const { collection, fields, postField } = kind;
      if (of !== 0 && postField === null) continue;
      for (;;) {
        const asked = Math.max(LEAST_READ, limit - items.length);
        const after: Predicate = gt('id', last);
        const { records } = await this.#ports.store.find({
          collection,
          where: of === 0 || postField === null ? after : and(eq(postField, of), after),
          limit: asked,
          fields,
        });
        const found = records.map(toFacts);
        const posts = found.map((facts) => postOf(kind, facts));
        const sees = await this.#toSees(query, posts);
        for (const now of found) {
          if (items.length === limit) break;
          last = now.id;
          if (!sees(kind, now)) continue;
          const place = { at, scan: { collection, id: last, of } };
          items.push(this.#toPut(query, kind, { now, change: null, place }));
        }
        if (items.length >= limit)
          return { items, place: { at, scan: { collection, id: last, of } }, isLast: false };
        if (records.length < asked) break;
      }
      last = 0;
    }
    return { items, place: { at }, isLast: false };
  }
}

/** Whether the error says that changes are no longer kept. */
export const isExpired = (error: unknown): boolean => error instanceof StoreError && error.code === 'expired';
