import { StoreError } from '../../../../lib/store/store.ts';
import { Params } from '../../sql/compile-where.ts';
import type { Connection } from '../connections.ts';
import { postgresDialect } from '../dialect.ts';
import { PostgresFailure, TAKEN } from '../errors.ts';

/** Statements that create, change or remove records of one table. `name`: names the statements, if their text is always the same. */
export interface Write {
  readonly table: string;
  readonly ids: readonly number[];
  readonly name: string | null;
  /** How many parameters `compile` adds at most. */
  readonly params: number;
  /** Whether it may take a unique key, and whether it may release one. Their order matters. */
  readonly takes: boolean;
  readonly releases: boolean;
  readonly compile: (params: Params) => readonly string[];
  /** The fields of the unique key with a constraint; null: it belongs to another table. */
  readonly keyOf: (constraint: string) => readonly string[] | null;
}

/** A write of one statement took a key, and it is not known whether another one would have been refused before it. */
export class Undecided extends Error {}

/** Most statements in one, most records, and most parameters, which the server limits. */
const MOST_STATEMENTS = 100;
const MOST_RECORDS = 250;
const MOST_PARAMS = 65_535;
/** A longer name would be cut. */
const LONGEST_NAME = 63;

/** Puts statements before another one, so that all of them take one round trip. They do not see each other's changes. */
function toOne(statements: readonly string[]): string {
  const before = statements.slice(0, -1);
  return `${before.length === 0 ? '' : `WITH ${before.map((text, at) => `"part${at}" AS (${text})`).join(', ')} `}${statements.at(-1) ?? ''}`;
}

/** The statements of one take effect in no particular order. */
function areOrdered(one: Write, other: Write): boolean {
  return one.table === other.table && ((one.takes && other.releases) || (one.releases && other.takes));
}

/** The name of a statement whose text is always the same, if it has one. */
function toName(writes: readonly Write[]): string | undefined {
  const name = writes.map((write) => write.name).join(', ');
  return name.length > LONGEST_NAME || writes.some((write) => write.name === null) ? undefined : name;
}

/** The writes of a commit, sent as one statement where possible. `isMerging` false: each is sent at once. */
export class WriteSet {
  readonly #connection: Connection;
  readonly #isMerging: boolean;
  #writes: Write[] = [];
  #statements: string[] = [];
  #params = new Params(postgresDialect);
  readonly #touched = new Set<string>();

  constructor(connection: Connection, isMerging: boolean) {
    this.#connection = connection;
    this.#isMerging = isMerging;
  }

  /** @throws StoreError `unique`, Undecided, PostgresFailure, of this write or of earlier ones */
  async add(write: Write): Promise<void> {
    const keys = write.ids.map((id) => `${write.table} ${id}`);
    if (
      this.#isFull(write) ||
      keys.some((key) => this.#touched.has(key)) ||
      this.#writes.some((each) => areOrdered(each, write))
    )
      await this.flush();
    for (const key of keys) this.#touched.add(key);
    this.#writes.push(write);
    this.#statements.push(...write.compile(this.#params));
    if (!this.#isMerging) await this.flush();
  }

  /** Sends what was added. Reads must wait for it. @throws StoreError `unique`, Undecided, PostgresFailure */
  async flush(): Promise<void> {
    if (this.#writes.length === 0) return;
    const writes = this.#writes;
    const [text, { values }] = [toOne(this.#statements), this.#params];
    this.#writes = [];
    this.#statements = [];
    this.#params = new Params(postgresDialect);
    this.#touched.clear();
    try {
      await this.#connection.query(text, values, toName(writes));
    } catch (error) {
      throw error instanceof PostgresFailure && error.state === TAKEN ? toTaken(error, writes) : error;
    }
  }

  /** Sends what was added, and then these statements in one round trip, unless it fails. @returns the tag of the last one. @throws as `flush` */
  async finish(statements: readonly string[]): Promise<string> {
    await this.flush();
    return (await this.#connection.script(statements.join('; '))).tag;
  }

  #isFull({ ids, params }: Write): boolean {
    return (
      this.#statements.length >= MOST_STATEMENTS ||
      this.#touched.size + ids.length > MOST_RECORDS ||
      this.#params.values.length + params > MOST_PARAMS
    );
  }
}

function toTaken(error: PostgresFailure, writes: readonly Write[]): Error {
  const taken = writes.find(({ keyOf }) => keyOf(error.constraint) !== null);
  if (writes.length > 1 && taken !== writes[0])
    return new Undecided('Several writes may have taken a key.', { cause: error });
  const fields = taken?.keyOf(error.constraint) ?? [];
  return new StoreError(
    'unique',
    `Another record of ${taken?.table ?? 'the store'} has the same ${fields.join(', ')}.`,
    { fields, cause: error },
  );
}
