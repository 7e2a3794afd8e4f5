import { StoreError } from '../../../lib/store/store.ts';
import { quoteConstant } from '../sql/dialect.ts';
import type { Connections } from './connections.ts';
import { withoutDeadline } from './deadline.ts';
import { runRead } from './run-read.ts';

/** The row of `store:collections` whose revision grows with every crash of the server that was noticed. */
export const LIFE = 'store:life';

/** A crash of the server empties an unlogged table. */
export const CREATE_LIFE = `CREATE UNLOGGED TABLE "store:life" ("id" bigint NOT NULL);
  INSERT INTO "store:life" VALUES (0);
  INSERT INTO "store:collections" ("collection") VALUES (${quoteConstant(LIFE)})`;

/** The life of the server as a column: the time since its last crash. Null: nobody has noticed the crash yet. */
export const SELECT_LIFE = '(SELECT "id" FROM "store:life") AS "life"';

/** More revisions than a crash can undo. */
const JUMP = 2 ** 20;
/** More ids than a crash can undo: see MOST of `later-commits.ts`. */
const GAP = 1000;

/** The server has crashed since it was last used, so that revisions and ids could be given a second time. */
export class CrashNoticed extends StoreError {
  constructor() {
    super('unavailable', 'The database server has crashed and is being prepared for use.');
  }
}

/** The life of a row that selects it. @throws CrashNoticed */
export function toLife(row: Readonly<Record<string, unknown>> | undefined): number {
  const life = row?.['life'];
  if (life === null || life === undefined) throw new CrashNoticed();
  return Number(life);
}

async function beginNext(connections: Connections): Promise<void> {
  await connections.use(async (connection) => {
    await connection.script(
      'BEGIN ISOLATION LEVEL READ COMMITTED; SELECT 1 FROM "store:collections" ORDER BY "collection" FOR UPDATE',
    );
    // Another process may have done it meanwhile.
    const { tag } =
      await connection.script(`UPDATE "store:collections" SET "revision" = "revision" + ${JUMP}, "newest_id" = "newest_id" + ${GAP} WHERE NOT EXISTS (SELECT 1 FROM "store:life");
      INSERT INTO "store:life" SELECT "revision" FROM "store:collections" WHERE "collection" = ${quoteConstant(LIFE)} AND NOT EXISTS (SELECT 1 FROM "store:life"); COMMIT`);
    if (tag !== 'COMMIT')
      throw new StoreError('unavailable', 'The server did not commit. Nothing was changed.');
  });
}

/**
 * Begins the next life of the server after a crash. Revisions and ids jump, because what a crash has undone may have been seen:
 * no cached response is used again, and no id of a lost record is given to another one.
 */
export class Life {
  readonly #connections: Connections;
  readonly #log: (message: string) => void;
  #beginning: Promise<void> | null = null;

  constructor(connections: Connections, log: (message: string) => void) {
    this.#connections = connections;
    this.#log = log;
  }

  /** Callers share one attempt. @throws StoreError, PostgresFailure */
  begin(): Promise<void> {
    this.#beginning ??= withoutDeadline(() => beginNext(this.#connections))
      .then(() =>
        this.#log(
          'The database server has recovered from a crash. The next ids of all collections are 1,000 higher, and nothing is served from caches of before.',
        ),
      )
      .finally(() => {
        this.#beginning = null;
      });
    return this.#beginning;
  }
}

/** Waits until the server's disk has everything that was committed before: this transaction, which changes nothing, is written behind it. @returns the life of the server; null if it has just crashed. @throws PostgresFailure */
export async function flushAll(writers: Connections): Promise<number | null> {
  const {
    rows: [row],
  } = await runRead(writers, (connection) =>
    connection.script(`SELECT ${SELECT_LIFE}, pg_logical_emit_message(true, 'routebook', ''::text)`),
  );
  const life = row?.['life'] ?? null;
  return life === null ? null : Number(life);
}
