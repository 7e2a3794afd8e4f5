import type { Connection as Wire, Query, QueryConfig } from 'pg';

/** The connection as the query sees it: before it ends its part with `sync`, the followers are sent. A query that was not executed has none. */
function addFollowers(wire: Wire, followers: readonly string[]): Wire {
  let isExecuted = false;
  const execute: Wire['execute'] = (...args) => {
    isExecuted = true;
    wire.execute(...args);
  };
  const sync = (): void => {
    for (const text of isExecuted ? followers : []) {
      wire.parse({ name: '', text, types: [] }, true);
      wire.bind({ portal: '', statement: '', values: [] }, true);
      wire.execute({ portal: '' }, true);
    }
    wire.sync();
  };
  return Object.assign(Object.create(wire) as Wire, { execute, sync });
}

/** The first statement, what follows it, and what is called with the outcome. */
export interface SequenceConfig extends QueryConfig {
  readonly followers: readonly string[];
  readonly done: (error: Error | null, results: unknown) => void;
}

/**
 * Makes a query that sends further statements, without parameters, together with its own. The server takes all of them before it
 * says that it is ready again, and after the first that fails it ignores the rest. `DriverQuery`: the class of the driver.
 */
export function createSequence(
  DriverQuery: typeof Query,
  { followers, done, ...config }: SequenceConfig,
): Query {
  // The types of the driver leave out the callback.
  const query = new DriverQuery(...([config, undefined, done] as unknown as [QueryConfig]));
  const { submit } = query;
  return Object.assign(query, {
    submit: (wire: Wire): void => submit.call(query, addFollowers(wire, followers)),
  });
}
