/** Cached responses by key. `undefined`: not cached; `null`: the page is known to have no oEmbed response. */
export interface ResponseCache {
  get(key: string): string | null | undefined;
  set(key: string, answer: string | null): void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FIVE_MINUTES_MS = 5 * 60 * 1000;

interface Entry {
  readonly answer: string | null;
  readonly size: number;
  readonly until: number;
}

/** Caches a response for one day, and the absence of one for five minutes. The least recently used entries are evicted. `bytes`: size of keys and responses. */
export function createResponseCache(
  now: () => number,
  { entries = 500, bytes = 2 * 1024 * 1024 } = {},
): ResponseCache {
  const kept = new Map<string, Entry>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  };
  const add = (key: string, entry: Entry): void => {
    drop(key);
    kept.set(key, entry);
    total += entry.size;
  };
  return {
    get(key) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      if (entry.until <= now()) {
        drop(key);
        return undefined;
      }
      add(key, entry);
      return entry.answer;
    },
    set(key, answer) {
      add(key, {
        answer,
        size: Buffer.byteLength(key) + Buffer.byteLength(answer ?? ''),
        until: now() + (answer === null ? FIVE_MINUTES_MS : DAY_MS),
      });
      for (const oldest of kept.keys()) {
        if (kept.size <= entries && total <= bytes) break;
        drop(oldest);
      }
    },
  };
}
