import type { Call } from '../../../lib/index.ts';
import { type SettingRules, withFunctions } from '../../plugin.ts';

/** One picture. `id` consists of digits. */
export interface Photo {
  /** Id at the provider. */
  readonly id: string;
  /** Picture or film. */
  readonly media_type: 'IMAGE' | 'VIDEO';
  /** Address of the file. */
  readonly media_url: string;
  /** Address of its page at the provider. */
  readonly permalink: string;
  /** Address of a small picture. */
  readonly thumbnail_url: string;
}

/** One entry of the feed. An album has children. */
export interface FeedEntry extends Omit<Photo, 'media_type'> {
  /** An album has `children`. */
  readonly media_type: Photo['media_type'] | 'CAROUSEL_ALBUM';
  /** Text below the entry. */
  readonly caption: string;
}

/** `position`: the `next` of an earlier page; null for the beginning, or for a page counted from the beginning. */
export interface FeedQuery {
  /** Most entries of a page. */
  readonly limit: number;
  /** Number of the page, from 1. */
  readonly page: number;
  /** `next` of the page before; null for the first. */
  readonly position: string | null;
}

/** `next`: position behind the last entry, null at the end. Its format is up to the provider; callers see it signed. */
export interface FeedPage {
  /** The entries, newest first. */
  readonly entries: readonly FeedEntry[];
  /** Position of the next page; null: this is the last. */
  readonly next: string | null;
}

/** The source of the pictures of the feed. */
export interface PhotoProvider {
  /** Returns one page of the feed. */
  list(query: FeedQuery, call: Call): Promise<FeedPage>;
  /** Pictures of an album; null if there is no public album with this id. */
  children(id: string, call: Call): Promise<readonly Photo[] | null>;
}

/** Half an hour, a day and a week. */
export const MINUTES = { least: 30, usual: 1440, most: 10_080 } as const;

/** `config.photofeed`. */
export interface PhotofeedSettings {
  readonly provider: 'site' | 'upstream' | PhotoProvider;
  readonly cacheMinutes: number;
}

const OWN_PROVIDER = withFunctions('list', 'children');

/** The rules of the settings. */
export const PHOTOFEED_SETTINGS: SettingRules<PhotofeedSettings> = {
  provider: {
    ...OWN_PROVIDER,
    wanted: '"site", "upstream" or an object with list and children',
    fits: (value) => value === 'site' || value === 'upstream' || OWN_PROVIDER.fits(value),
  },
  cacheMinutes: {
    wanted: `a whole number from ${MINUTES.least} to ${MINUTES.most}`,
    fits: (value) =>
      Number.isInteger(value) && Number(value) >= MINUTES.least && Number(value) <= MINUTES.most,
  },
};
