import type { Call } from '../../lib/call.ts';
import { RestError, toStatus } from '../../lib/errors.ts';
import { defineNamespace, type Namespace } from '../../lib/namespace.ts';
import { toQuery } from '../../lib/params.ts';
import { RestResponse } from '../../lib/response.ts';
import type { Ports } from '../ports.ts';
import { readCursor, toCursor } from './cursor.ts';
import { builderError } from './errors.ts';
import { createCachedPhotos } from './photo-cache.ts';
import type { FeedPage, PhotoProvider } from './photo-provider.ts';
import { photofeedDescriptor } from './photofeed-routes.ts';
import { createSitePhotos } from './site-photos.ts';
import { createUpstreamPhotos } from './upstream-photos.ts';

const MINUTE_MS = 60_000;
/** Half an hour, a day and a week. */
const MINUTES = { least: 30, usual: 1440, most: 10_080 } as const;

function isProvider(value: unknown): value is PhotoProvider {
  return typeof value === 'object' && value !== null && 'list' in value && typeof value.list === 'function' && 'children' in value && typeof value.children === 'function';
}

function readMinutes(value: unknown): number {
  const minutes = value ?? MINUTES.usual;
  if (typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= MINUTES.least && minutes <= MINUTES.most) return minutes;
  throw new TypeError(`config.namespaces.photofeed.cacheMinutes: wanted an integer from ${MINUTES.least} to ${MINUTES.most}`);
}

function createProvider(ports: Ports): PhotoProvider {
  const { provider = 'site', cacheMinutes } = ports.config.namespaces['photofeed'] ?? {};
  if (provider === 'site') return createSitePhotos(ports);
  if (provider === 'upstream') return createCachedPhotos(createUpstreamPhotos(ports), ports.now, readMinutes(cacheMinutes) * MINUTE_MS);
  if (isProvider(provider)) return provider;
  throw new TypeError('config.namespaces.photofeed.provider: wanted "site", "upstream" or a PhotoProvider');
}

/** What a feed widget reads when the service failed: its own two members, beside those of every error. */
function toFailure(error: unknown, call: Call): RestResponse {
  if (!(error instanceof RestError) || !error.code.startsWith('service_')) throw error;
  const status = toStatus(error, call.identity);
  const { upstream_status: _hidden, ...data } = error.data;
  return new RestResponse({ code: status, error_message: error.message, message: error.message, data: { status, error: error.code, ...data } }, { status });
}

function toPaging({ next }: FeedPage, { call, limit, secret }: { call: Call; limit: number; secret: Uint8Array }) {
  if (next === null) return { cursors: {} };
  const after = toCursor(next, secret);
  const language = call.given.has('ml_language') ? { [call.site.names.params['ml_language'] ?? 'ml_language']: call.language } : {};
  return { cursors: { after }, next: `${call.site.url('/builder/photofeed/media')}?${toQuery({ limit: String(limit), next: after, ...language })}` };
}

/**
 * A public feed of pictures. `config.namespaces.photofeed`: `provider` (`site`, the default: the pictures of published posts; `upstream`:
 * the service `photofeed`; or a `PhotoProvider` of the host), `cacheMinutes` (of `upstream`: 30 to 10,080, default 1,440).
 */
export function createPhotofeedNamespace(ports: Ports): Namespace {
  const provider = createProvider(ports);
  const { secret } = ports.config;
  return defineNamespace(photofeedDescriptor, {
    'builder.photofeed.media': async ({ limit, page, next }, call) => {
      const position = next === undefined ? null : readCursor(next, secret);
      if (next !== undefined && position === null) throw builderError('photofeed_invalid_cursor');
      try {
        const feed = await provider.list({ limit, page, position }, call);
        return { code: 200, json: { data: feed.entries, paging: toPaging(feed, { call, limit, secret }) } };
      } catch (error) {
        return toFailure(error, call);
      }
    },
    'builder.photofeed.children': async ({ id }, call) => {
      try {
        const photos = await provider.children(id, call);
        if (photos === null) throw builderError('photofeed_not_found');
        return { code: 200, json: { data: photos } };
      } catch (error) {
        return toFailure(error, call);
      }
    },
  });
}
