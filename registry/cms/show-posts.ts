import { ANONYMOUS } from '../../lib/core/identity.ts';
import { JsonText } from '../../lib/core/json-document.ts';
import { perNames } from '../../lib/core/names.ts';
import type { ShowRecord } from '../../lib/http/record-list.ts';
import type { StoredRecord } from '../../lib/store/store.ts';
import { thenMaybe } from '../../lib/core/maybe-promise.ts';
import { CachedDocuments, type DocumentLimits } from './cached-documents.ts';
import { toRepresentation } from './post-representation.ts';
import type { PostView } from './post-view.ts';

/** The whole view of a post from which long texts were left out; undefined when the post is gone. A view that is whole comes back at once. */
export type CompleteView = (view: PostView) => PostView | Promise<PostView | undefined>;

/** What answers show of posts: finished documents for strangers, to whom a post looks the same until something changes. */
export interface ShowPosts {
  one(view: PostView): unknown;
  /** Shows the posts of one list. */
  list(complete: CompleteView): ShowRecord<PostView>;
}

const LIMITS: DocumentLimits = { entries: 50_000, bytes: 64 * 1024 * 1024 };

/**
 * What all posts of an answer rest on, beside the words of the site. The revision of the settings also parts what stood in
 * the store before all of it was replaced, when ids and versions began anew.
 */
function toScope({ call: { request }, context, excerptWords, settings }: PostView): string {
  // NUL stands in none of these texts.
  return [request.siteUrl, request.language, context, excerptWords, settings.revision].join('\0');
}

/**
 * What is shown of a term, and not its version: a removed id may be given again, and versions begin anew.
 * The lengths say where a text ends, whatever is in it.
 */
function toTermPart(term: StoredRecord | undefined): string {
  if (term === undefined) return '-';
  const slug = String(term['slug']);
  const name = String(term['name']);
  const taxonomy = String(term['taxonomy']);
  return `${slug.length} ${name.length} ${taxonomy.length} ${slug}${name}${taxonomy}`;
}

/** All that the representation of a post rests on for a stranger, so that another input is another key. */
function toKey(scope: string, { post, terms, siblings, history }: PostView): string {
  let key = `${scope} ${post.id} ${post.version} ${history.id} ${history.version}`;
  for (const id of post.categories) key += ` ${id} ${toTermPart(terms.get(id))}`;
  for (const id of post.tags) key += ` ${id} ${toTermPart(terms.get(id))}`;
  for (const { id, status, language, slug } of siblings) key += ` ${id} ${slug.length} ${language.length} ${status.length} ${slug}${language}${status}`;
  return key;
}

/** Not for those who edit, whose rights decide what they see, nor with a password. */
function isForAll({ call, isUnlocked }: PostView): boolean {
  return call.identity === ANONYMOUS && !isUnlocked;
}

/** Only now are its long texts needed, if they are. */
const showAnew = (complete: CompleteView): ShowRecord<PostView> => (view, fields) => (
  thenMaybe(complete(view), (whole) => (whole === undefined ? undefined : toRepresentation(whole, fields)))
);

/** Keeps nothing. */
export const SHOW_ANEW: ShowPosts = { one: (view) => toRepresentation(view), list: showAnew };

/** Keeps the finished representations of posts for as long as there is room. */
export function createShowPosts(limits: DocumentLimits = LIMITS): ShowPosts {
  const documentsOf = perNames(() => new CachedDocuments(limits));
  const find = (scope: string, view: PostView): Uint8Array | undefined => documentsOf(view.call.site.names).find(toKey(scope, view));
  const write = (scope: string, view: PostView): Uint8Array => {
    const document = Buffer.from(JSON.stringify(toRepresentation(view)));
    documentsOf(view.call.site.names).keep(toKey(scope, view), document);
    return document;
  };
  const showOne = (view: PostView): JsonText => {
    const scope = toScope(view);
    return new JsonText(find(scope, view) ?? write(scope, view));
  };
  return {
    one: (view) => (isForAll(view) ? showOne(view) : toRepresentation(view)),
    list(complete) {
      const anew = showAnew(complete);
      let scope: string | undefined;
      return (view, fields) => {
        if (fields !== null || !isForAll(view)) return anew(view, fields);
        const own = scope ??= toScope(view);
        const known = find(own, view);
        if (known !== undefined) return new JsonText(known);
        return thenMaybe(complete(view), (whole) => (whole === undefined ? undefined : new JsonText(write(own, whole))));
      };
    },
  };
}
