import { type Ports, type UpstreamAnswer, isObject, upstreamError } from '../../plugin.ts';
import type { FeedEntry, Photo, PhotoProvider } from './photo-provider.ts';

const SERVICE = 'photofeed';
const MAX_ENTRIES = 100;
const MAX_TEXT = 5000;
const TYPES: ReadonlySet<string> = new Set(['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM']);
/** Parameters that contain credentials of the site. */
const SECRETS = ['access_token', 'token', 'client_secret', 'appsecret_proof'];

function badAnswer(answer: UpstreamAnswer, cause?: unknown): Error {
  return upstreamError('service_bad_response', {
    data: { service: SERVICE, upstream_status: answer.status },
    cause,
  });
}

function readJson(answer: UpstreamAnswer): Readonly<Record<string, unknown>> {
  if (answer.status !== 200) throw badAnswer(answer);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(answer.body).toString('utf8'));
  } catch (cause) {
    throw badAnswer(answer, cause);
  }
  if (!isObject(value) || !Array.isArray(value['data'])) throw badAnswer(answer);
  return value;
}

/** A web address without credentials; '' for anything else. */
function toAddress(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT || !URL.canParse(value)) return '';
  const url = new URL(value);
  for (const name of SECRETS) url.searchParams.delete(name);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : '';
}

/** Only known members are passed on. An entry without id or picture is left out. */
function toEntry(value: unknown): FeedEntry | null {
  if (!isObject(value)) return null;
  const { id, media_type: type, caption } = value;
  const media = toAddress(value['media_url']);
  if (
    typeof id !== 'string' ||
    !/^\d{1,30}$/.test(id) ||
    typeof type !== 'string' ||
    !TYPES.has(type) ||
    media === ''
  )
    return null;
  return {
    id,
    media_type: type as FeedEntry['media_type'],
    caption: typeof caption === 'string' ? caption.slice(0, MAX_TEXT) : '',
    media_url: media,
    permalink: toAddress(value['permalink']),
    thumbnail_url: toAddress(value['thumbnail_url']) || media,
  };
}

function toEntries(value: unknown): readonly FeedEntry[] {
  return Array.isArray(value)
    ? value
        .slice(0, MAX_ENTRIES)
        .map(toEntry)
        .filter((entry) => entry !== null)
    : [];
}

function toPhoto({ id, media_type, media_url, permalink, thumbnail_url }: FeedEntry): Photo {
  return { id, media_type: media_type === 'VIDEO' ? 'VIDEO' : 'IMAGE', media_url, permalink, thumbnail_url };
}

function readNext(json: Readonly<Record<string, unknown>>): string | null {
  const { paging } = json;
  const cursors = isObject(paging) && 'next' in paging ? paging['cursors'] : undefined;
  const after = isObject(cursors) ? cursors['after'] : undefined;
  return typeof after === 'string' && after !== '' && after.length <= 500 ? after : null;
}

/**
 * The pictures of a connected account, through the service `photofeed`: `GET /media?limit=&after=` and `GET /{id}/children`, both
 * `{data: [...], paging?: {cursors: {after}, next}}`. The addresses and tokens of the service's own paging are not passed on.
 */
export function createUpstreamPhotos({ upstream }: Pick<Ports, 'upstream'>): PhotoProvider {
  return {
    async list({ limit, position }, call) {
      const query = { limit: String(limit), ...(position === null ? {} : { after: position }) };
      const json = readJson(
        await upstream.request(SERVICE, { method: 'GET', path: '/media', query, signal: call.signal }),
      );
      return { entries: toEntries(json['data']), next: readNext(json) };
    },
    async children(id, call) {
      const answer = await upstream.request(SERVICE, {
        method: 'GET',
        path: `/${id}/children`,
        signal: call.signal,
      });
      return answer.status === 404 ? null : toEntries(readJson(answer)['data']).map(toPhoto);
    },
  };
}
