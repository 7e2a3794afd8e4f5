import type { Call } from '../../lib/route/call.ts';

/** One picture. `id` consists of digits. */
export interface Photo {
  readonly id: string;
  readonly media_type: 'IMAGE' | 'VIDEO';
  readonly media_url: string;
  readonly permalink: string;
  readonly thumbnail_url: string;
}

/** One entry of the feed. An album has children. */
export interface FeedEntry extends Omit<Photo, 'media_type'> {
  readonly media_type: Photo['media_type'] | 'CAROUSEL_ALBUM';
  readonly caption: string;
}

/** `position`: the `next` of an earlier page; null for the beginning, or for a page counted from the beginning. */
export interface FeedQuery {
  readonly limit: number;
  readonly page: number;
  readonly position: string | null;
}

/** `next`: position behind the last entry, null at the end. Its format is up to the provider; callers see it signed. */
export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  readonly next: string | null;
}

/** The source of the pictures of the feed. */
export interface PhotoProvider {
  list(query: FeedQuery, call: Call): Promise<FeedPage>;
  /** Pictures of an album; null if there is no public album with this id. */
  children(id: string, call: Call): Promise<readonly Photo[] | null>;
}
