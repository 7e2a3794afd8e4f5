import { listOf, objectOf, WEB_ADDRESS, type DocumentRule } from '../../lib/core/check-document.ts';
import { FLAG } from '../../lib/core/check-options.ts';
import type { SettingRules } from '../read-settings.ts';

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

/** What the host may say of oEmbed. */
export interface OembedSettings {
  /** In place of ours. */
  readonly providers: readonly Provider[];
  /** The host serves a page `embed/` below each post. Default false. */
  readonly embedPage: boolean;
}

const HOST: DocumentRule = { wanted: 'a host in lower case, such as "films.example" or "*.films.example"', fits: (value) => typeof value === 'string' && /^(?:\*\.)?[a-z\d.-]+$/.test(value) };
const PATH: DocumentRule = { wanted: 'the beginning of a path, such as "/watch"', fits: (value) => typeof value === 'string' && value.startsWith('/') };

export const OEMBED_SETTINGS: SettingRules<OembedSettings> = {
  providers: listOf(objectOf({ hosts: { ...listOf(HOST), needed: true }, paths: listOf(PATH), endpoint: { ...WEB_ADDRESS, needed: true } })),
  embedPage: FLAG,
};
