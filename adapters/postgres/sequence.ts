import type { Connection as Wire, Query, QueryConfig } from 'pg';

/** A statement of the driver that others follow in the same round trip. */
export type SequenceType = new (config: QueryConfig & { readonly followers: readonly string[] }, done: (error: Error | null, results: unknown) => void) => Query;

/**
 * Makes a query that sends further statements, without parameters, together with its own. The server takes all of them before it
 * says that it is ready again, and after the first that fails it ignores the rest. `DriverQuery`: the class of the driver.
 */
export function createSequenceType(DriverQuery: typeof Query): SequenceType {
  return class extends DriverQuery {
    readonly #followers: readonly string[];

    constructor({ followers, ...config }: QueryConfig & { readonly followers: readonly string[] }, done: (error: Error | null, results: unknown) => void) {
      // The types of the driver leave out the callback.
      super(...[config, undefined, done] as unknown as [QueryConfig]);
      this.#followers = followers;
    }

    /** The driver calls this when it has sent the parameters, to execute the statement. If they cannot be sent, it does not. */
    _getRows(wire: Wire): void {
      wire.execute({ portal: '' }, true);
      for (const text of this.#followers) {
        wire.parse({ name: '', text, types: [] }, true);
        wire.bind({ portal: '', statement: '', values: [] }, true);
        wire.execute({ portal: '' }, true);
      }
      wire.sync();
    }
  };
}
