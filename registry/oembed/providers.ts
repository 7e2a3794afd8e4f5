/** A site whose oEmbed answers are trusted as they are. Plain data; the host may give a list of its own. */
export interface Provider {
  /** `vimeo.com`, or `*.vimeo.com` for everything below it. */
  readonly hosts: readonly string[];
  /** Beginnings of paths; absent: any path. */
  readonly paths?: readonly string[];
  /** https address that answers JSON; takes `url`, `format`, `maxwidth`, `maxheight`. */
  readonly endpoint: string;
}

/** Well-known providers, from the public registry of oembed.com. */
export const PROVIDERS: readonly Provider[] = [
  { hosts: ['youtube.com', '*.youtube.com'], paths: ['/watch', '/playlist', '/shorts/', '/live/', '/v/', '/embed/'], endpoint: 'https://www.youtube.com/oembed' },
  { hosts: ['youtu.be'], endpoint: 'https://www.youtube.com/oembed' },
  { hosts: ['vimeo.com', '*.vimeo.com'], endpoint: 'https://vimeo.com/api/oembed.json' },
  { hosts: ['dailymotion.com', '*.dailymotion.com', 'dai.ly'], endpoint: 'https://www.dailymotion.com/services/oembed' },
  { hosts: ['flickr.com', '*.flickr.com', 'flic.kr'], endpoint: 'https://www.flickr.com/services/oembed/' },
  { hosts: ['soundcloud.com', '*.soundcloud.com'], endpoint: 'https://soundcloud.com/oembed' },
  { hosts: ['open.spotify.com'], endpoint: 'https://open.spotify.com/oembed' },
  { hosts: ['mixcloud.com', '*.mixcloud.com'], endpoint: 'https://app.mixcloud.com/oembed/' },
  { hosts: ['tiktok.com', '*.tiktok.com'], paths: ['/@', '/v/', '/embed'], endpoint: 'https://www.tiktok.com/oembed' },
  { hosts: ['reddit.com', '*.reddit.com'], paths: ['/r/'], endpoint: 'https://www.reddit.com/oembed' },
  { hosts: ['*.tumblr.com'], endpoint: 'https://www.tumblr.com/oembed/1.0' },
  { hosts: ['ted.com', '*.ted.com'], paths: ['/talks/'], endpoint: 'https://www.ted.com/services/v1/oembed.json' },
  { hosts: ['issuu.com', '*.issuu.com'], endpoint: 'https://issuu.com/oembed' },
  { hosts: ['scribd.com', '*.scribd.com'], paths: ['/doc/', '/document/'], endpoint: 'https://www.scribd.com/services/oembed' },
  { hosts: ['speakerdeck.com'], endpoint: 'https://speakerdeck.com/oembed.json' },
  { hosts: ['kickstarter.com', '*.kickstarter.com'], paths: ['/projects/'], endpoint: 'https://www.kickstarter.com/services/oembed' },
  { hosts: ['bsky.app'], paths: ['/profile/'], endpoint: 'https://embed.bsky.app/oembed' },
];

function matchesHost(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

/** The endpoint to ask about a page; null when no provider of the table has it. */
export function findEndpoint(providers: readonly Provider[], page: URL): string | null {
  const found = providers.find(({ hosts, paths }) => hosts.some((host) => matchesHost(host, page.hostname))
    && (paths === undefined || paths.some((path) => page.pathname.startsWith(path))));
  return found?.endpoint ?? null;
}

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');

function isProvider(value: unknown): value is Provider {
  if (typeof value !== 'object' || value === null) return false;
  const { hosts, paths, endpoint } = value as Partial<Record<keyof Provider, unknown>>;
  return isTexts(hosts) && (paths === undefined || isTexts(paths)) && typeof endpoint === 'string' && /^https?:/.test(endpoint) && URL.canParse(endpoint);
}

/** The host's list of providers (`config.namespaces.oembed.providers`), or ours. @throws TypeError when it is not a list of providers. */
export function readProviders(configured: unknown): readonly Provider[] {
  if (configured === undefined) return PROVIDERS;
  if (Array.isArray(configured) && configured.every(isProvider)) return configured;
  throw new TypeError('config.namespaces.oembed.providers: wanted a list of {hosts: string[], paths?: string[], endpoint: an http or https address}');
}
