import type { Call } from '../../../lib/route/call.ts';
import type { PreparedLink } from '../../../lib/route/links.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import type { Addressed, LinkParts } from '../addresses/link-parts.ts';
import { permalink } from '../addresses/permalink.ts';
import type { Ports } from '../host/ports.ts';
import type { PostHistory } from '../records/history.ts';
import type { PostKind } from '../records/kind.ts';
import type { PostRecord } from '../records/post-record.ts';
import type { SiteSettings } from '../settings/site-settings.ts';

/** Headers of a response that the site also has as Markdown, by `Accept`. */
export const MAY_BE_MARKDOWN = { Vary: 'Accept' } as const;

/** What the representation of a post needs in addition to the record. Loaded once for a whole list. */
export interface PostView {
  readonly post: PostRecord;
  readonly kind: PostKind;
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
  /** What the addresses of the post and its siblings need. */
  readonly linkParts: LinkParts;
  /** Number and highest id of its revisions and autosaves; 0 for none. */
  readonly history: PostHistory;
  /** The language that was asked for, if the post stands in for its translation. */
  readonly standsFor?: string;
  /** Whether the caller sent the password of the post. */
  readonly isUnlocked: boolean;
  /** `content.rendered` of a content with shortcodes, which cannot be rendered at once. */
  readonly built?: string;
}

/** The address of a post of the list, or of one of its siblings. */
export function linkOf(
  post: Addressed,
  { call, kind: { type }, linkParts, settings }: Pick<PostView, 'call' | 'kind' | 'linkParts' | 'settings'>,
): string {
  return permalink(post, call.site, { type, linkParts, settings });
}
