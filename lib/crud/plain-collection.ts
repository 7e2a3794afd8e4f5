import { RestError } from '../core/errors.ts';
import { type MaybePromise, thenMaybe } from '../core/maybe-promise.ts';
import { own } from '../core/objects.ts';
import { checkIfMatch } from '../http/etag.ts';
import { RecordList } from '../http/record-list.ts';
import { type Dependencies, RestResponse } from '../http/response.ts';
import { type Selection } from '../http/select-fields.ts';
import { type Args, type Call, subject, type Subject } from '../route/call.ts';
import { type Page, pageHeaders, toOffset } from '../route/paging.ts';
import type { Order, Predicate } from '../store/query.ts';
import {
  type Operation,
  retryRaces,
  type Store,
  type StoredRecord,
  StoreError,
  toCreate,
  toRemove,
  toUpdate,
  type Values,
} from '../store/store.ts';

/** Shows one record with its links; or only these fields, null for all. */
export type ShowPlain<T> = (record: T, fields: Selection | null) => Record<string, unknown>;

/** How the records of a `collection` of a `store` are served. */
export interface PlainSource<T extends StoredRecord> {
  readonly store: Store;
  readonly collection: string;
  /** Whether a record of the collection belongs to the resource. Default: every record does. */
  readonly isServed?: (record: T) => boolean;
  /** The error for a record that does not exist. */
  readonly missing: () => RestError;
  /** The error for a value that another record has already, by the fields of the unique key. Absent: the write starts again, and its draft must see the other record. */
  readonly taken?: (fields: readonly string[]) => RestError;
  /** Neutral path of a record below the API base. */
  readonly pathOf: (record: T) => string;
  /** Loads what the records have in common, once for all of them, and returns the function that shows one of them. */
  readonly show: (
    records: readonly T[],
    shown: { readonly call: Call; readonly context: string },
  ) => MaybePromise<ShowPlain<T>>;
  /** Epoch milliseconds until which the response to a call may be cached if its collections do not change; 0: not at all. Default: always. */
  readonly until?: (call: Call) => number;
}

/** One `page` of a list in a `context`. `where`, `order`: of its records. `perPage`: number of items of a full page. */
interface PlainPage {
  readonly where?: Predicate;
  readonly order: readonly Order[];
  readonly context: string;
  readonly page: number;
  readonly perPage: number;
  /** Replaces the page. */
  readonly offset?: number | undefined;
  /** Whether links to other pages count from the offset. Default: from the page that was sent. */
  readonly countsFromOffset?: boolean;
}

/** The `values` that a write stores. `also`: further operations of the same commit; the id of a new record is `{ $ref: 'record' }`. */
export interface Draft {
  readonly values: Values;
  readonly also?: readonly Operation[];
}

/** Returns the reason why the caller must not do this to the record, or null if it is allowed. */
export type Refuse<T> = (call: Call, record: T, args: Args) => RestError | null;

/** A permission on a record, which becomes the subject of the call. */
export type RecordPermission<T extends object> = (
  args: Args,
  call: Call,
) => MaybePromise<RestError | Subject<T>>;

/** A change of one record. `run` starts again if another writer changes the record at the same time. */
export interface PlainChange<T, R> {
  /** Checks the right again if the record has changed meanwhile. */
  readonly refuse: Refuse<T>;
  readonly run: (record: T) => Promise<R>;
}

/**
 * Runs a change on the record that the permission checked, and again on the new state if another writer was faster.
 * With `If-Match`, it starts again only while the record has the requested version.
 * @throws RestError `rest_precondition_failed`, or the error of `reload` for a record that no longer exists
 */
export async function changeRecord<T extends Pick<StoredRecord, 'version'>, R>(
  call: Call,
  first: T,
  { reload, refuse, run }: PlainChange<T, R> & { readonly reload: () => Promise<T> },
): Promise<R> {
  let record: T | null = first;
  return retryRaces(async () => {
    const current: T = record ?? (await reload());
    record = null;
    checkIfMatch(call, current.version);
    const refusal = current === first ? null : refuse(call, current, call.args);
    if (refusal !== null) throw refusal;
    return run(current);
  });
}

/** Serves the records of one collection: pages, single records, writes with `If-Match`, and permissions on the record that a parameter names. */
export class PlainCollection<T extends StoredRecord = StoredRecord> {
  readonly #source: PlainSource<T>;

  constructor(source: PlainSource<T>) {
    this.#source = source;
  }

  async #find(id: number): Promise<T | null> {
    const { store, collection, isServed } = this.#source;
    // The store returns records as their collection descriptor declares them.
    const found = (await store.get(collection, id)) as T | null;
    return found !== null && (isServed === undefined || isServed(found)) ? found : null;
  }

  /** The record with this id, loaded once per call; null if there is none. */
  load(call: Call, id: unknown): MaybePromise<T | null> {
    return call.once(`${this.#source.collection} ${String(id)}`, () => this.#find(Number(id)));
  }

  /** A permission on the record that a parameter names. The record becomes the subject of the call. */
  permission(param: string, refuse: Refuse<T>): RecordPermission<T> {
    return (args, call) =>
      thenMaybe(this.load(call, own(args, param)), (record) =>
        record === null ? this.#source.missing() : (refuse(call, record, args) ?? subject(record)),
      );
  }

  /** A page with its totals. Beyond the last page it is empty. */
  async list(
    call: Call,
    { where, order, context, page: sent, perPage, offset, countsFromOffset = false }: PlainPage,
  ): Promise<RestResponse> {
    const { store, collection } = this.#source;
    const start = toOffset({ page: sent, perPage, offset });
    const page = countsFromOffset ? Math.ceil(start / perPage) + 1 : sent;
    const { records, total } = await store.find(
      { collection, where, order, limit: perPage, offset: start, total: true },
      call,
    );
    return this.page(call, records as readonly T[], { context, page, perPage, total, from: start });
  }

  /** A page of records that were found in another way. `from`: number of items before it. */
  async page(
    call: Call,
    records: readonly T[],
    { context, page, perPage, total, from }: { readonly context: string; readonly from: number } & Page,
  ): Promise<RestResponse> {
    return new RestResponse(
      new RecordList(records, await this.#source.show(records, { call, context }), from),
      { headers: pageHeaders(call, { page, perPage, total }), dependsOn: this.#dependencies(call, records) },
    );
  }

  #dependencies(call: Call, records: readonly T[]): Dependencies {
    const { collection } = this.#source;
    return {
      records: records.map(({ id, version }) => [collection, id, version]),
      collections: call.endpoint.cache ?? [],
      until: this.#source.until?.(call) ?? Infinity,
    };
  }

  async #shown(call: Call, record: T, context: string): Promise<Record<string, unknown>> {
    return (await this.#source.show([record], { call, context }))(record, null);
  }

  /** One record. `status`: default 200. */
  async one(
    call: Call,
    record: T,
    { context, status = 200 }: { readonly context: string; readonly status?: number },
  ): Promise<RestResponse> {
    const headers: Record<string, string> =
      status === 201 ? { Location: call.site.url(this.#source.pathOf(record)) } : {};
    return new RestResponse(await this.#shown(call, record, context), {
      status,
      headers,
      version: record.version,
      dependsOn: this.#dependencies(call, [record]),
    });
  }

  async #commit(call: Call, operations: readonly Operation[]): Promise<T> {
    const { store, taken } = this.#source;
    try {
      // A write that returns no record removed it; see `remove`.
      return (await store.commit(operations, call.durability))[0] as T;
    } catch (error) {
      if (taken !== undefined && error instanceof StoreError && error.code === 'unique')
        throw taken(error.fields);
      throw error;
    }
  }

  /** Stores a new record. `toDraft` is called again if another writer takes one of its unique values at the same time. */
  create(call: Call, toDraft: () => MaybePromise<Draft>): Promise<T> {
    return retryRaces(async () => {
      const { values, also = [] } = await toDraft();
      return this.#commit(call, [toCreate(this.#source.collection, values, 'record'), ...also]);
    });
  }

  /** Runs a change on one record, as `changeRecord`. */
  change<R>(call: Call, first: T, change: PlainChange<T, R>): Promise<R> {
    const reload = async (): Promise<T> => {
      const found = await this.#find(first.id);
      if (found === null) throw this.#source.missing();
      return found;
    };
    return changeRecord(call, first, { ...change, reload });
  }

  /** Changes fields of a record. */
  update(
    call: Call,
    first: T,
    { refuse, toDraft }: { readonly refuse: Refuse<T>; readonly toDraft: (record: T) => MaybePromise<Draft> },
  ): Promise<T> {
    return this.change(call, first, {
      refuse,
      run: async (record) => {
        const { values, also = [] } = await toDraft(record);
        return this.#commit(call, [toUpdate(this.#source.collection, record, values), ...also]);
      },
    });
  }

  /** Removes a record and shows it as it was, in this context. `also`: further operations of the same commit. */
  remove(
    call: Call,
    first: T,
    {
      refuse,
      context,
      also = () => [],
    }: {
      readonly refuse: Refuse<T>;
      readonly context: string;
      readonly also?: (record: T) => MaybePromise<readonly Operation[]>;
    },
  ): Promise<object> {
    return this.change(call, first, {
      refuse,
      run: async (record) => {
        const { _links: _dropped, ...previous } = await this.#shown(call, record, context);
        await this.#commit(call, [toRemove(this.#source.collection, record), ...(await also(record))]);
        return { deleted: true, previous };
      },
    });
  }
}

/** The record that the permission of the call checked. */
export function subjectOf<T extends StoredRecord>(call: Call): T {
  return call.subject as T;
}
