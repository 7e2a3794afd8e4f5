import { type Connection, type SqliteDriver, SqliteFailure } from '../../adapters/stores/sqlite/driver.ts';
import { chooseDriver } from '../../adapters/stores/sqlite/drivers.ts';

/** The driver of this Node version with a hook before every statement. */
export interface FaultyDriver extends SqliteDriver {
  /** SQL statements that ran, oldest first. */
  readonly log: string[];
  /** Called before each statement. Throwing `fault(code)` makes the statement fail. */
  before: (sql: string) => void;
  /** The same after each statement that returns no rows. */
  after: (sql: string) => void;
}

/** Fails only the statement at this index, counted from 0. `reached` tells whether there were that many. */
export function failAt(driver: FaultyDriver, place: number, error: Error): { readonly reached: boolean } {
  const state = { reached: false };
  let count = -1;
  driver.before = () => {
    count += 1;
    if (count !== place) return;
    state.reached = true;
    throw error;
  };
  return state;
}

/** An error as SQLite throws it: 10 for I/O, 13 for a full disk, … */
export function fault(code: number): SqliteFailure {
  return new SqliteFailure(code, new Error(`injected ${code}`));
}

/** Wraps the driver that the store would choose. */
export async function createFaultyDriver(): Promise<FaultyDriver> {
  const real = await chooseDriver();
  const faulty: FaultyDriver = {
    ...real,
    log: [],
    before: () => undefined,
    after: () => undefined,
    open: (path, busyMs) => {
      const connection = real.open(path, busyMs);
      const note = (sql: string): void => {
        faulty.log.push(sql);
        faulty.before(sql);
      };
      const wrapped: Connection = {
        exec: (sql) => {
          note(sql);
          connection.exec(sql);
          faulty.after(sql);
        },
        prepare: (sql) => {
          const statement = connection.prepare(sql);
          return {
            all: (values) => {
              note(sql);
              return statement.all(values);
            },
            get: (values) => {
              note(sql);
              return statement.get(values);
            },
            run: (values) => {
              note(sql);
              return statement.run(values);
            },
          };
        },
        close: () => connection.close(),
      };
      return wrapped;
    },
    backup: (path, target) => {
      faulty.before('backup');
      return real.backup(path, target);
    },
  };
  return faulty;
}
