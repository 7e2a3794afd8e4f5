import { ANONYMOUS } from '../../lib/identity.ts';
import { JsonText, toJsonList } from '../../lib/json-document.ts';
import { perNames } from '../../lib/names.ts';
import { KeptTexts, type TextLimits } from './kept-texts.ts';
import { toRepresentation } from './post-representation.ts';
import type { PostView } from './post-view.ts';

/** What answers show of posts: as text for strangers, to whom a post looks the same until something changes. */
export interface ShowPosts {
  one(view: PostView): unknown;
  list(views: readonly PostView[]): unknown;
}

const TEXT_LIMITS: TextLimits = { entries: 50_000, characters: 48 * 1024 * 1024 };

/**
 * Everything beside the words of the site that the representation of a post rests on for a stranger, so that other inputs are another key.
 * The revision of the settings also parts what stood in the store before all of it was replaced, when ids and versions began anew.
 */
function toKey(view: PostView): string {
  const { post, call, context, settings, excerptWords, terms, siblings, history } = view;
  // NUL stands in none of these texts.
  let key = `${call.request.siteUrl}\0${call.request.language}\0${context}\0${excerptWords} ${settings.revision} ${post.id} ${post.version} ${history.id} ${history.version}`;
  for (const ids of [post.categories, post.tags]) for (const id of ids) key += ` ${id} ${terms.get(id)?.version ?? 0}`;
  for (const { id, version } of siblings) key += ` ${id} ${version}`;
  return key;
}

/** Not for those who edit, whose rights decide what they see, nor with a password. */
function isForAll({ call, isUnlocked }: PostView): boolean {
  return call.identity === ANONYMOUS && !isUnlocked;
}

/** Keeps the finished representations of posts for as long as there is room. */
export function createShowPosts(limits: TextLimits = TEXT_LIMITS): ShowPosts {
  const textsOf = perNames(() => new KeptTexts(limits));
  const toText = (view: PostView): string => textsOf(view.call.site.names).get(toKey(view), () => JSON.stringify(toRepresentation(view)));
  return {
    one: (view) => (isForAll(view) ? new JsonText(toText(view)) : toRepresentation(view)),
    list: (views) => (views.every(isForAll) ? toJsonList(views.map(toText)) : views.map(toRepresentation)),
  };
}
