import { type Call, RestResponse } from '../../../../lib/index.ts';
import { MEDIA_PATH, OutboundRefused, toSitePath, upstreamError } from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { isWebAddress } from '../values/web-address.ts';

const NOT_FOUND = new RestResponse(
  { type: 'failure', response: 'The file does not exist.' },
  { status: 404 },
);
const FOREIGN = new RestResponse(
  { type: 'failure', response: 'The file is on another host.' },
  { status: 404 },
);

/** The path below the media library; null for a URL outside it. `source_url` of a file has the prefix of a language. */
function toMediaPath(path: string, prefixes: readonly string[]): string | null {
  const prefix = ['', ...prefixes.map((language) => `/${language}`)].find((each) =>
    path.startsWith(`${each}${MEDIA_PATH}`),
  );
  if (prefix === undefined) return null;
  try {
    return decodeURIComponent(path.slice(prefix.length + MEDIA_PATH.length));
  } catch {
    // A malformed percent-encoding cannot be a file name.
    return null;
  }
}

/** Sizes of media files. The site's own files are read; configured media hosts are asked with HEAD. */
export function createFileSizeHandlers({
  ports: {
    media,
    outbound,
    log,
    config: { prefixes },
  },
  config,
}: SeoDeps): HandlerGroup<'seo.fileSize'> {
  async function readOwn(place: string): Promise<number | null> {
    const path = toMediaPath(place, prefixes);
    return path === null || media === undefined ? null : media.size(path);
  }

  async function readForeign(url: string, call: Call): Promise<number | null> {
    if (outbound === undefined)
      throw upstreamError('service_not_connected', { data: { service: 'media-outbound' } });
    try {
      const { status, headers } = await outbound({ url, method: 'HEAD', accept: [], signal: call.signal });
      const size = status === 200 ? Number(headers['content-length'] ?? Number.NaN) : Number.NaN;
      return Number.isSafeInteger(size) && size >= 0 ? size : null;
    } catch (error) {
      if (!(error instanceof OutboundRefused)) throw error;
      log({ level: 'warn', message: 'the media host did not return a size', error });
      return null;
    }
  }

  return {
    'seo.fileSize': async ({ url }, call) => {
      if (!isWebAddress(url)) return FOREIGN;
      const own = toSitePath(url, call.request.siteUrl) ?? toSitePath(url, call.site.pagesUrl);
      if (own === null && !config.mediaHosts.includes(new URL(url).host)) return FOREIGN;
      const size = own === null ? await readForeign(url, call) : await readOwn(own.path);
      return size === null ? NOT_FOUND : { type: 'success', size_in_bytes: size };
    },
  };
}
