import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Call, defineNamespace, type Namespace, RestError, RestResponse } from '../../../lib/index.ts';
import { type Ports, readSettings, toQuery, toStatus } from '../../plugin.ts';
import {
  type FeedEntry,
  type FeedPage,
  MINUTES,
  type Photo,
  PHOTOFEED_SETTINGS,
  type PhotofeedSettings,
  type PhotoProvider,
} from './photo-provider.ts';
import { photofeedDescriptor } from './routes.ts';
import { createSitePhotos, photofeedError } from './site-photos.ts';
import { createUpstreamPhotos } from './upstream-photos.ts';

interface Entry {
  readonly until: number;
  readonly value: Promise<unknown>;
}

const MAX_ENTRIES = 200;

/**
 * Calls a provider at most once per query and `ttlMs`, because the feed is public and the service behind it is not ours.
 * Concurrent callers share one request; a failure is not cached. `ttlMs`: milliseconds.
 */
function createCachedPhotos(provider: PhotoProvider, now: () => number, ttlMs: number): PhotoProvider {
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

const MAC_BYTES = 16;

function sign(text: string, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`photofeed cursor ${text}`).digest().subarray(0, MAC_BYTES);
}

/** A position as callers see it: opaque and signed for this site, so that callers cannot send their own positions to a provider. */
function toCursor(position: string, secret: Uint8Array): string {
  return Buffer.concat([sign(position, secret), Buffer.from(position, 'utf8')]).toString('base64url');
}

/** The position in a cursor; null if this site did not create it. */
export function readCursor(cursor: string, secret: Uint8Array): string | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= MAC_BYTES) return null;
  const position = bytes.subarray(MAC_BYTES).toString('utf8');
  return timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(position, secret)) ? position : null;
}

const MINUTE_MS = 60_000;

function createProvider(ports: Ports): PhotoProvider {
  const { provider = 'site', cacheMinutes = MINUTES.usual } = readSettings<PhotofeedSettings>(
    ports.config,
    'photofeed',
    PHOTOFEED_SETTINGS,
  );
  if (provider === 'site') return createSitePhotos(ports);
  return provider === 'upstream'
    ? createCachedPhotos(createUpstreamPhotos(ports), ports.now, cacheMinutes * MINUTE_MS)
    : provider;
}

/** A caption is plain text. Some widgets insert it as markup, so it must not contain the start of a tag. */
function withCaption(entry: FeedEntry): FeedEntry {
  return { ...entry, caption: entry.caption.replaceAll(/(?<!<)<+(?=[a-z/!?])/gi, '') };
}

/** The error format of feed widgets when the service failed: their two members in addition to those of every error. */
function toFailure(error: unknown, call: Call): RestResponse {
  if (!(error instanceof RestError) || !error.code.startsWith('service_')) throw error;
  const status = toStatus(error, call.identity);
  const { upstream_status: _hidden, ...data } = error.data;
  return new RestResponse(
    {
      code: status,
      error_message: error.message,
      message: error.message,
      data: { status, error: error.code, ...data },
    },
    { status },
  );
}

function toPaging(
  { next }: FeedPage,
  { call, limit, secret }: { call: Call; limit: number; secret: Uint8Array },
) {
  if (next === null) return { cursors: {} };
  const after = toCursor(next, secret);
  const language = call.given.has('ml_language')
    ? { [call.site.names.params['ml_language'] ?? 'ml_language']: call.language }
    : {};
  return {
    cursors: { after },
    next: `${call.site.url('/builder/photofeed/media')}?${toQuery({ limit: String(limit), next: after, ...language })}`,
  };
}

/**
 * A public feed of pictures. `config.photofeed`: `provider` (`site`, the default: the pictures of published posts; `upstream`:
 * the service `photofeed`; or a `PhotoProvider` of the host), `cacheMinutes` (of `upstream`: 30 to 10,080, default 1,440).
 */
export function createPhotofeedNamespace(ports: Ports): Namespace {
  const provider = createProvider(ports);
  const { secret } = ports.config;
  return defineNamespace(photofeedDescriptor, {
    'builder.photofeed.media': async ({ limit, page, next }, call) => {
      const position = next === undefined ? null : readCursor(next, secret);
      if (next !== undefined && position === null) throw photofeedError('photofeed_invalid_cursor');
      try {
        const feed = await provider.list({ limit, page, position }, call);
        return {
          code: 200,
          json: { data: feed.entries.map(withCaption), paging: toPaging(feed, { call, limit, secret }) },
        };
      } catch (error) {
        return toFailure(error, call);
      }
    },
    'builder.photofeed.children': async ({ id }, call) => {
      try {
        const photos = await provider.children(id, call);
        if (photos === null) throw photofeedError('photofeed_not_found');
        return { code: 200, json: { data: photos } };
      } catch (error) {
        return toFailure(error, call);
      }
    },
  });
}
