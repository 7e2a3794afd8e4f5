import { AsyncLocalStorage } from 'node:async_hooks';
import { isCallerId } from '../core/identity.ts';
import { CHANGE_ORIGINS, type ChangeSource } from './change.ts';
import { StoreError } from './store.ts';

const NOBODY: ChangeSource = Object.freeze({ by: 0, from: 'command', request: '' });

// The code that commits is far from the code that knows the caller, and a commit must not lose its source on the way.
const sources = new AsyncLocalStorage<ChangeSource>();

/** The source of commits that are made now. */
export function currentSource(): ChangeSource {
  return sources.getStore() ?? NOBODY;
}

/** Runs a function: commits that it makes, and what it starts, have this source. Members that are left out stay as they are. */
export function runWithSource<T>(source: Partial<ChangeSource>, run: () => T): T {
  return sources.run({ ...currentSource(), ...source }, run);
}

/** Completes what a commit was given. @throws StoreError `invalid` */
export function toSource(given: Partial<ChangeSource> = {}): ChangeSource {
  const source = { ...currentSource(), ...given };
  const { by, from, request } = source;
  if (!isCallerId(by))
    throw new StoreError('invalid', 'The source of a commit: `by` must be the id of a caller, or 0.');
  if (!CHANGE_ORIGINS.includes(from))
    throw new StoreError(
      'invalid',
      `The source of a commit: \`from\` must be one of ${CHANGE_ORIGINS.join(', ')}.`,
    );
  if (typeof request !== 'string' || request.length > 128)
    throw new StoreError(
      'invalid',
      'The source of a commit: `request` must be a text of at most 128 characters.',
    );
  return source;
}
