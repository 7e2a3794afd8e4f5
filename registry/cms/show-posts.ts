import { ANONYMOUS } from '../../lib/identity.ts';
import { JsonText, toJsonList } from '../../lib/json-document.ts';
import { perNames } from '../../lib/names.ts';
import type { StoredRecord } from '../../lib/store.ts';
import { KeptDocuments, type DocumentLimits } from './kept-documents.ts';
import { toRepresentation } from './post-representation.ts';
import type { PostView } from './post-view.ts';

/** What answers show of posts: finished documents for strangers, to whom a post looks the same until something changes. */
export interface ShowPosts {
  one(view: PostView): unknown;
  /** The views of one answer. */
  list(views: readonly PostView[]): unknown;
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

/** Keeps nothing. */
export const SHOW_ANEW: ShowPosts = { one: toRepresentation, list: (views) => views.map(toRepresentation) };

/** Keeps the finished representations of posts for as long as there is room. */
export function createShowPosts(limits: DocumentLimits = LIMITS): ShowPosts {
  const documentsOf = perNames(() => new KeptDocuments(limits));
  const toDocument = (scope: string, view: PostView): Uint8Array => documentsOf(view.call.site.names).get(toKey(scope, view), () => toRepresentation(view));
  return {
    one: (view) => (isForAll(view) ? new JsonText(toDocument(toScope(view), view)) : toRepresentation(view)),
    list(views) {
      const [first] = views;
      if (first === undefined || !views.every(isForAll)) return views.map(toRepresentation);
      const scope = toScope(first);
      return toJsonList(views.map((view) => toDocument(scope, view)));
    },
  };
}
