/** How long the store waits, in milliseconds. */
export const WAITS = {
  /** For a lock, while a file is opened or read on a connection of its own. */
  lock: 5000,
  /** For a lock after the start. Only other writers hold one, and a commit waits for them without blocking the process. */
  statement: 100,
  /** For writes of another process, before a commit fails. */
  commit: 5000,
  /** For a turn in the reading thread. No more reads are accepted while one has waited this long. */
  read: 2000,
  /** For a running statement at the end of the process. */
  end: 10_000,
} as const;
