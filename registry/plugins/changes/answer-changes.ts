import {
  type ArgsOf,
  ANONYMOUS,
  type Call,
  RestError,
  RestResponse,
  type ServerEvent,
  StreamBody,
  chooseType,
  engineError,
  renamePath,
} from '../../../lib/index.ts';
import { callInner, own, readCaller, vendorHeader } from '../../plugin.ts';
import { changesError, type FeedPosition } from './cursor.ts';
import { isExpired, type Feed, type FeedItem, type FeedPage, type FeedQuery } from './feed.ts';
import type { changesDescriptor } from './routes.ts';

/** The parameters of the feed. */
export type FeedArgs = Omit<
  ArgsOf<(typeof changesDescriptor.routes)[0]['endpoints'][0]['args']>,
  'collections'
> & { readonly collections: readonly string[] };

/** How long a response waits for a change. Milliseconds; less than the time limit of calls. */
const WAIT_MS = 28_000;
const PATH = '/changes/v1/changes';
const WORDS: Readonly<Record<string, 'now' | 'all' | 'oldest'>> = { now: 'now', all: 'all', '-1': 'oldest' };
const PLAIN = 'application/json';
const LINES = 'application/x-ndjson';
const EVENTS = 'text/event-stream';

/** The caller must log in again. */
const isRefused = (error: unknown): boolean =>
  error instanceof RestError && error.code === 'rest_invalid_credentials';

/** Who reads. `sees`: what instead of what the caller may see. */
interface Reader {
  readonly call: Call;
  readonly sees?: Partial<FeedQuery>;
}

/** One reading of the feed: what was asked, by whom. */
class Reading {
  readonly #feed: Feed;
  readonly #call: Call;
  readonly #args: FeedArgs;
  readonly #query: FeedQuery;
  /** Version of the caller's record when the reading began; null: not read yet, or the caller has none. */
  #caller: number | null = null;

  constructor(feed: Feed, args: FeedArgs, { call, sees = {} }: Reader) {
    const { collections, types } = args;
    const kinds = feed.kinds.filter(({ name }) => collections.length === 0 || collections.includes(name));
    this.#feed = feed;
    this.#call = call;
    this.#args = args;
    this.#query = { identity: call.identity, kinds, types, language: call.language, ...sees };
  }

  /** @throws RestError `rest_invalid_cursor` */
  async begin(): Promise<FeedPosition> {
    const { after, offset } = this.#args;
    const id = this.#call.request.headers['last-event-id'];
    const given = [id, offset, after].find((each) => each !== undefined && each !== '');
    const word = given === undefined ? 'oldest' : own(WORDS, given);
    if (word !== undefined) return this.#feed.begin(word);
    const place = this.#feed.cursors.read(given as string);
    await this.#feed.check(place);
    return place;
  }

  /** A reading can take an hour. @throws RestError `rest_invalid_credentials` when the caller's record has changed: with the rights, the password or by its end */
  async #checkCaller(): Promise<void> {
    const { identity } = this.#call;
    if (identity.id === 0) return;
    const { record } = await readCaller(this.#feed.store, identity);
    if (record === null) return;
    this.#caller ??= record.version;
    if (record.version !== this.#caller) throw engineError('rest_invalid_credentials');
  }

  async page(place: FeedPosition, limit = this.#args.per_page): Promise<FeedPage> {
    await this.#checkCaller();
    const page = await this.#feed.read(place, this.#query, limit);
    return this.#args.include.includes('record') ? { ...page, items: await this.#show(page.items) } : page;
  }

  /** The same reading at another place. */
  address(after: string): string {
    const params = new URLSearchParams(this.#call.request.query);
    for (const name of ['after', 'offset', 'cursor', 'live']) params.delete(name);
    params.set('after', after);
    return `${this.#call.site.url(PATH)}?${params.toString()}`;
  }

  /** The error for a place that is no longer kept. */
  expired(): Error {
    const location = this.address('all');
    return changesError('rest_cursor_expired', { data: { location } });
  }

  /** Pages until nothing is left. */
  async *lines(first: FeedPage): AsyncGenerator<unknown> {
    for (let page = first; ; page = await this.page(page.place, 1000)) {
      yield* page.items;
      if (page.isLast) {
        yield { cursor: this.#feed.cursors.write(page.place) };
        return;
      }
    }
  }

  /** Pages as they come, until the client leaves or the server stops. @returns where to go on */
  async *pages(from: FeedPosition): AsyncGenerator<FeedPage, string> {
    const signal = AbortSignal.any([this.#call.signal, this.#call.draining]);
    let place = from;
    let isNew = true;
    while (!signal.aborted) {
      const seen = await this.#feed.log.revision();
      let page: FeedPage;
      try {
        page = await this.page(place, Math.max(100, this.#args.per_page));
      } catch (error) {
        if (!isExpired(error) && !isRefused(error)) throw error;
        return isExpired(error) ? 'all' : this.#feed.cursors.write(place);
      }
      place = page.place;
      // What nobody may see here must not show in the times of the events either.
      if (isNew || page.items.length > 0) yield page;
      isNew = !page.isLast;
      if (page.isLast) await this.#feed.log.until(seen, { signal });
    }
    return this.#feed.cursors.write(place);
  }

  /** The same as events. `pack`: how a page becomes events. */
  async *events(
    from: FeedPosition,
    pack: (page: FeedPage) => Iterable<ServerEvent>,
  ): AsyncGenerator<ServerEvent> {
    const pages = this.pages(from);
    for (let next = await pages.next(); ; next = await pages.next()) {
      if (next.done === true) {
        yield { event: 'restart', data: { location: this.address(next.value) } };
        return;
      }
      yield* pack(next.value);
    }
  }

  /** The first page with a change, or an empty one after some time. */
  async await(from: FeedPosition): Promise<FeedPage> {
    const signal = AbortSignal.any([this.#call.signal, AbortSignal.timeout(WAIT_MS)]);
    for (let place = from; ;) {
      const seen = await this.#feed.log.revision();
      const page = await this.page(place);
      if (page.items.length > 0 || signal.aborted) return page;
      place = page.place;
      if (page.isLast) await this.#feed.log.until(seen, { signal });
    }
  }

  async #show(items: readonly FeedItem[]): Promise<readonly FeedItem[]> {
    const shown: FeedItem[] = [];
    for (const item of items) {
      const kind = this.#feed.kinds.find(({ name }) => name === item.collection);
      const path = item.op === 'put' ? kind?.pathOf({ type: item.type, taxonomy: item.type }, item.id) : null;
      const record = path ? await this.#read(path) : undefined;
      shown.push(record === undefined ? item : { ...item, record });
    }
    return shown;
  }

  /** The record at a path; undefined if the caller may not see it. */
  async #read(path: string): Promise<unknown> {
    const wirePath = renamePath(this.#call.site.names, path);
    const { status, body } = await callInner(this.#call, { method: 'GET', path: wirePath });
    return status === 200 ? body : undefined;
  }
}

/** A page as events of its own, each with its cursor. */
function* toChanges({ items, isLast }: FeedPage): Generator<ServerEvent> {
  for (const item of items) yield { id: item.cursor, event: 'change', data: item };
  if (isLast) yield { event: 'caught-up', data: '{}' };
}

/** Answers a request for changes. */
export async function answerChanges(feed: Feed, args: FeedArgs, call: Call): Promise<RestResponse> {
  const reading = new Reading(feed, args, { call });
  const place = await reading.begin();
  const type = chooseType(call.request.headers['accept'], [PLAIN, LINES, EVENTS] as const);
  const isDurable = args.offset !== undefined;
  const headers = { 'Cache-Control': 'no-store', Vary: 'Accept' };
  if (args.live === 'sse' || (args.live === undefined && type === EVENTS)) {
    const write = (page: FeedPage): string => feed.cursors.write(page.place);
    const pack = isDurable
      ? function* toBatch(page: FeedPage): Generator<ServerEvent> {
          if (page.items.length > 0) yield { event: 'data', data: page.items };
          const control = { streamNextOffset: write(page), streamCursor: toStreamCursor() };
          yield { event: 'control', data: page.isLast ? { ...control, upToDate: true } : control };
        }
      : toChanges;
    return new RestResponse(new StreamBody('sse', reading.events(place, pack)), { headers });
  }
  try {
    const page = await (args.live === 'long-poll' ? reading.await(place) : reading.page(place));
    if (type === LINES && args.live === undefined)
      return new RestResponse(new StreamBody('ndjson', reading.lines(page)), { headers });
    const next = feed.cursors.write(page.place);
    return new RestResponse(page.items, {
      headers: {
        ...headers,
        [vendorHeader(call.site.names, 'Cursor')]: next,
        ...(page.isLast
          ? { [vendorHeader(call.site.names, 'Caught-Up')]: 'true' }
          : { Link: `<${reading.address(next)}>; rel="next"` }),
        ...(isDurable || args.live === 'long-poll'
          ? {
              'Stream-Next-Offset': next,
              'Stream-Cursor': toStreamCursor(),
              ...(page.isLast ? { 'Stream-Up-To-Date': 'true' } : {}),
            }
          : {}),
      },
    });
  } catch (error) {
    throw isExpired(error) ? reading.expired() : error;
  }
}

/** Durable streams ask caches in front to join readers of the same interval of 20 seconds. */
const toStreamCursor = (): string => String(Math.floor(Date.now() / 20_000));

/** The ids of posts whenever they change for everybody, in all languages, from now on until the call ends. */
export async function watchPosts(feed: Feed, call: Call): Promise<AsyncIterable<number>> {
  const args = { collections: ['posts'], types: [], include: [], per_page: 1000 };
  const reading = new Reading(feed, args, { call, sees: { identity: ANONYMOUS, language: null } });
  const place = await feed.begin('now');
  async function* toIds(): AsyncGenerator<number> {
    for await (const { items } of reading.pages(place)) for (const { id } of items) yield id;
  }
  return toIds();
}
