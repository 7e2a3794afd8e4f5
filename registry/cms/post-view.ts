import type { Call } from '../../lib/route/call.ts';
import type { PreparedLink } from '../../lib/route/links.ts';
import type { StoredRecord } from '../../lib/store/store.ts';
import { toPathPart } from '../content/slug.ts';
import type { Ports } from '../ports.ts';
import type { SiteSettings } from '../site/settings.ts';
import type { PostHistory } from './history.ts';
import type { PostRecord } from './post-record.ts';

/** What the representation of a post needs in addition to the record. Loaded once for a whole list. */
export interface PostView {
  readonly post: PostRecord;
  readonly call: Call;
  readonly log: Ports['log'];
  /** `view`, `embed` or `edit`. */
  readonly context: string;
  readonly settings: SiteSettings;
  /** Number of words of an automatic excerpt. */
  readonly excerptWords: number;
  /** The links that the caller may see on a post. */
  readonly links: readonly PreparedLink[];
  /** Terms of all posts of the list, by id. */
  readonly terms: ReadonlyMap<number, StoredRecord>;
  /** The other published posts of the translation group. */
  readonly siblings: readonly PostRecord[];
  /** Number and highest id of its revisions and autosaves; 0 for none. */
  readonly history: PostHistory;
  /** Whether the caller sent the password of the post. */
  readonly isUnlocked: boolean;
}

const OUT: ReadonlySet<string> = new Set(['publish', 'private']);

/** Address of a post on the site: by slug if it is published or private, otherwise by id. */
export function permalink(post: Pick<PostRecord, 'id' | 'slug' | 'status' | 'language'>, call: Call): string {
  // Encoded, because it is also sent in a header and the store may contain anything.
  const home = call.site.home(toPathPart(post.language));
  return OUT.has(post.status) && post.slug !== '' ? `${home}/${toPathPart(post.slug)}/` : `${home}/?p=${post.id}`;
}
