import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import { changeRequest } from '../../../lib/http/request.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Operation, Store } from '../../../lib/store/store.ts';
import type { ReadTerms } from '../addresses/permalink.ts';
import type { PostShortcodes } from '../content/shortcodes/render-post.ts';
import type { Ports } from '../host/ports.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { PlanDeparture } from '../plugin/plugin.ts';
import type { Previews } from '../previews/previews.ts';
import type { PostKind, PostKinds } from '../records/kind.ts';
import type { PostRecord } from '../records/post-record.ts';
import type { PublishDue } from '../records/schedule.ts';
import type { ReadSettings } from '../settings/site-settings.ts';
import type { ShowPosts } from './show-posts.ts';

/** A request within another one: its `method`, its path, and its `query` without `?`. */
interface InnerRequest {
  readonly method: string;
  /** Path below the API base with wire names. */
  readonly path: string;
  readonly query?: string;
}

/**
 * Runs another request as the caller of this one, in the same language. Rights, checks and effects are those of its route.
 * Conditions and bodies of the outer request do not apply to it.
 */
export async function callInner(
  call: Call,
  { method, path, query = '' }: InnerRequest,
): Promise<RestResponse> {
  const request = changeRequest(call.request, { method, path, query, headers: {}, body: { kind: 'none' } });
  return call.site.prepare(request).run();
}

/** What every part of the namespace gets. */
export interface CmsDeps extends PostDeps {
  readonly publishDue: PublishDue;
  readonly passwords: PasswordGuard;
  readonly previews: Previews;
  readonly ports: Ports;
  /** Taxonomies without pages that everybody may read. */
  readonly exposed: ReadonlySet<string>;
  /** What is removed with a term, by its id. */
  readonly termBelongings: readonly ((term: number) => Operation)[];
}

/** What the functions of this namespace share: `store`, `now`, `settings`, `log`. */
export interface PostBase {
  readonly store: Store;
  readonly now: Ports['now'];
  readonly settings: ReadSettings;
  readonly log: Ports['log'];
}

/** Adds what the handlers of posts need: terms, the schedule and cached representations. */
export interface PostDeps extends PostBase {
  readonly terms: ReadTerms;
  /** Epoch milliseconds at which the next scheduled post is due; Infinity if there is none. */
  readonly nextDue: () => number;
  readonly show: ShowPosts;
  /** Every type of the site whose records are posts. */
  readonly kinds: PostKinds;
  readonly content: ContentModel;
  readonly planDeparture: PlanDeparture;
  readonly shortcodes: PostShortcodes;
}

/** Adds the type whose posts are handled. */
export interface KindDeps extends PostDeps {
  readonly kind: PostKind;
}

export type Protected = Pick<PostRecord, 'id' | 'password'>;

/** Checks the passwords that callers send, and slows down guessing. */
export interface PasswordGuard {
  /** @throws RestError `rest_post_incorrect_password` if the password is wrong, `rest_too_many_attempts` */
  check(call: Call, post: Protected, given: unknown): MaybePromise<void>;
  /** Returns the ids of the posts of a list that the password opens. @throws RestError `rest_too_many_attempts` */
  open(call: Call, posts: readonly Protected[], given: string | undefined): Promise<ReadonlySet<number>>;
}
