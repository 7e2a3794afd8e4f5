import type { Call } from '../../lib/route/call.ts';

/** One picture. `id`: digits. */
export interface Photo {
  readonly id: string;
  readonly media_type: 'IMAGE' | 'VIDEO';
  readonly media_url: string;
  readonly permalink: string;
  readonly thumbnail_url: string;
}

/** One entry of the feed; an album has children. */
export interface FeedEntry extends Omit<Photo, 'media_type'> {
  readonly media_type: Photo['media_type'] | 'CAROUSEL_ALBUM';
  readonly caption: string;
}

/** `position`: what an earlier page gave as `next`; null: the beginning, or that many pages on. */
export interface FeedQuery {
  readonly limit: number;
  readonly page: number;
  readonly position: string | null;
}

/** `next`: position behind the last entry, null at the end. A provider's own words; callers see it sealed. */
export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  readonly next: string | null;
}

/** Where the pictures of the feed come from. */
export interface PhotoProvider {
  list(query: FeedQuery, call: Call): Promise<FeedPage>;
  /** Pictures of an album; null when there is none that everybody may see. */
  children(id: string, call: Call): Promise<readonly Photo[] | null>;
}
