import type { Call } from '../../../lib/index.ts';
import type { FeedPage, Photo, PhotoProvider } from './photo-provider.ts';

interface Entry {
  readonly until: number;
  readonly value: Promise<unknown>;
}

const MAX_ENTRIES = 200;

/**
 * Calls a provider at most once per query and `ttlMs`, because the feed is public and the service behind it is not ours.
 * Concurrent callers share one request; a failure is not cached. `ttlMs`: milliseconds.
 */
export function createCachedPhotos(provider: PhotoProvider, now: () => number, ttlMs: number): PhotoProvider {
  const kept = new Map<string, Entry>();
  async function ask<T>(key: string, load: () => Promise<T>): Promise<T> {
    const known = kept.get(key);
    if (known !== undefined && known.until > now()) return known.value as Promise<T>;
    const value = load();
    kept.delete(key);
    kept.set(key, { until: now() + ttlMs, value });
    const [oldest] = kept.keys();
    if (kept.size > MAX_ENTRIES && oldest !== undefined) kept.delete(oldest);
    try {
      return await value;
    } catch (error) {
      if (kept.get(key)?.value === value) kept.delete(key);
      throw error;
    }
  }
  // The request is shared by several callers, so a caller who disconnects must not abort it.
  const unhurried = (call: Call): Call => ({ ...call, signal: new AbortController().signal });
  return {
    // Keyed by position alone: a provider with cursors ignores page and language, each of which would cost another request.
    list: (query, call) =>
      ask<FeedPage>(`list ${query.limit} ${query.position ?? ''}`, () =>
        provider.list(query, unhurried(call)),
      ),
    children: (id, call) =>
      ask<readonly Photo[] | null>(`children ${id}`, () => provider.children(id, unhurried(call))),
  };
}
