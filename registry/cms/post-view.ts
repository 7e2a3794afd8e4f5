import type { Call } from '../../lib/route/call.ts';
import type { PreparedLink } from '../../lib/route/links.ts';
import type { StoredRecord } from '../../lib/store/store.ts';
import { toPathPart } from '../content/slug.ts';
import type { Ports } from '../ports.ts';
import type { SiteSettings } from '../site/settings.ts';
import type { PostHistory } from './history.ts';
import type { PostRecord } from './post-record.ts';

/** What the representation of a post needs beside the record. Loaded for a whole list at once. */
export interface PostView {
  readonly post: PostRecord;
  readonly call: Call;
  readonly log: Ports['log'];
  /** `view`, `embed` or `edit`. */
  readonly context: string;
  readonly settings: SiteSettings;
  /** Words of an automatic excerpt. */
  readonly excerptWords: number;
  /** Those that the caller may see on a post. */
  readonly links: readonly PreparedLink[];
  /** Terms of all posts of the list by id. */
  readonly terms: ReadonlyMap<number, StoredRecord>;
  /** Published posts of the translation group, without this one. */
  readonly siblings: readonly PostRecord[];
  /** Number and highest id of its revisions and autosaves (0: none). */
  readonly history: PostHistory;
  /** Whether the caller named the post's password. */
  readonly isUnlocked: boolean;
}

const OUT: ReadonlySet<string> = new Set(['publish', 'private']);

/** Address of a post for people: by slug once it is out, by id before. */
export function permalink(post: Pick<PostRecord, 'id' | 'slug' | 'status' | 'language'>, call: Call): string {
  // It goes into a header as well, whatever a program has written into the store.
  const home = call.site.home(toPathPart(post.language));
  return OUT.has(post.status) && post.slug !== '' ? `${home}/${toPathPart(post.slug)}/` : `${home}/?p=${post.id}`;
}
