import { toSafeLog } from '../../../lib/engine/safe-log.ts';

/** Receives notes for the operator of a store, and what failed. */
export type StoreLog = (message: string, error?: unknown) => void;

/** The log that the host app gave to a store. If it throws or rejects, no read or write fails and the program goes on. */
export function toStoreLog(log: StoreLog = () => undefined): StoreLog {
  const write = toSafeLog(({ message, error }) => log(message, error));
  return (message, error) => write({ level: error === undefined ? 'info' : 'error', message, error });
}
