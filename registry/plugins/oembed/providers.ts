import { type DocumentRule, FLAG, type SettingRules, WEB_ADDRESS, listOf, objectOf } from '../../plugin.ts';

/** A site whose oEmbed responses are trusted. Plain data; the host can configure its own list. */
export interface Provider {
  /** `vimeo.com`, or `*.vimeo.com` for all its subdomains. */
  readonly hosts: readonly string[];
  /** Prefixes of paths. If absent, any path matches. */
  readonly paths?: readonly string[];
  /** https address that responds with JSON and takes `url`, `format`, `maxwidth` and `maxheight`. */
  readonly endpoint: string;
}

/** Well-known providers, from the public registry of oembed.com. */
export const PROVIDERS: readonly Provider[] = [
  {
    hosts: ['youtube.com', '*.youtube.com'],
    paths: ['/watch', '/playlist', '/shorts/', '/live/', '/v/', '/embed/'],
    endpoint: 'https://www.youtube.com/oembed',
  },
  { hosts: ['youtu.be'], endpoint: 'https://www.youtube.com/oembed' },
  { hosts: ['vimeo.com', '*.vimeo.com'], endpoint: 'https://vimeo.com/api/oembed.json' },
  {
    hosts: ['dailymotion.com', '*.dailymotion.com', 'dai.ly'],
    endpoint: 'https://www.dailymotion.com/services/oembed',
  },
  { hosts: ['flickr.com', '*.flickr.com', 'flic.kr'], endpoint: 'https://www.flickr.com/services/oembed/' },
  { hosts: ['soundcloud.com', '*.soundcloud.com'], endpoint: 'https://soundcloud.com/oembed' },
  { hosts: ['open.spotify.com'], endpoint: 'https://open.spotify.com/oembed' },
  { hosts: ['mixcloud.com', '*.mixcloud.com'], endpoint: 'https://app.mixcloud.com/oembed/' },
  {
    hosts: ['tiktok.com', '*.tiktok.com'],
    paths: ['/@', '/v/', '/embed'],
    endpoint: 'https://www.tiktok.com/oembed',
  },
  { hosts: ['reddit.com', '*.reddit.com'], paths: ['/r/'], endpoint: 'https://www.reddit.com/oembed' },
  { hosts: ['*.tumblr.com'], endpoint: 'https://www.tumblr.com/oembed/1.0' },
  {
    hosts: ['ted.com', '*.ted.com'],
    paths: ['/talks/'],
    endpoint: 'https://www.ted.com/services/v1/oembed.json',
  },
  { hosts: ['issuu.com', '*.issuu.com'], endpoint: 'https://issuu.com/oembed' },
  {
    hosts: ['scribd.com', '*.scribd.com'],
    paths: ['/doc/', '/document/'],
    endpoint: 'https://www.scribd.com/services/oembed',
  },
  { hosts: ['speakerdeck.com'], endpoint: 'https://speakerdeck.com/oembed.json' },
  {
    hosts: ['kickstarter.com', '*.kickstarter.com'],
    paths: ['/projects/'],
    endpoint: 'https://www.kickstarter.com/services/oembed',
  },
  { hosts: ['bsky.app'], paths: ['/profile/'], endpoint: 'https://embed.bsky.app/oembed' },
];

function matchesHost(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

/** The endpoint for a page; null if no provider in the list has it. */
export function findEndpoint(providers: readonly Provider[], page: URL): string | null {
  const found = providers.find(
    ({ hosts, paths }) =>
      hosts.some((host) => matchesHost(host, page.hostname)) &&
      (paths === undefined || paths.some((path) => page.pathname.startsWith(path))),
  );
  return found?.endpoint ?? null;
}

/** The settings of oEmbed. */
export interface OembedSettings {
  /** Replaces the built-in list. */
  readonly providers: readonly Provider[];
  /** Whether the host serves a page `embed/` below each post. Default false. */
  readonly embedPage: boolean;
}

const HOST: DocumentRule = {
  wanted: 'a host in lower case, such as "films.example" or "*.films.example"',
  fits: (value) => typeof value === 'string' && /^(?:\*\.)?[a-z\d.-]+$/.test(value),
};
const PATH: DocumentRule = {
  wanted: 'the beginning of a path, such as "/watch"',
  fits: (value) => typeof value === 'string' && value.startsWith('/'),
};

export const OEMBED_SETTINGS: SettingRules<OembedSettings> = {
  providers: listOf(
    objectOf({
      hosts: { ...listOf(HOST), needed: true },
      paths: listOf(PATH),
      endpoint: { ...WEB_ADDRESS, needed: true },
    }),
  ),
  embedPage: FLAG,
};
