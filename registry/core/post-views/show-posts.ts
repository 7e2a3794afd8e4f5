import { runInTurns } from '../../../lib/core/cooperative.ts';
import { ANONYMOUS } from '../../../lib/core/identity.ts';
import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { perNames } from '../../../lib/core/names.ts';
import type { ShowRecord } from '../../../lib/http/record-list.ts';
import type { Selection } from '../../../lib/http/select-fields.ts';
import { JsonText } from '../../../lib/json/json-document.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { isLinkFixed } from '../addresses/permalink.ts';
import { renderContentInSteps } from '../content/render/render.ts';
import type { PostShortcodes } from '../content/shortcodes/render-post.ts';
import { toFootnotes } from '../records/post-meta.ts';
import type { PostRecord } from '../records/post-record.ts';
import { isOpen, linkOf, type PostView, toRepresentation } from './post-representation.ts';

async function build(shortcodes: PostShortcodes, view: PostView): Promise<PostView> {
  const { post, call, log } = view;
  try {
    return {
      ...view,
      built: await shortcodes.render(post.content, {
        siteUrl: call.request.siteUrl,
        footnotes: toFootnotes(post.meta),
        call,
        record: {
          id: post.id,
          type: post.type,
          language: post.language,
          slug: post.slug,
          title: post.title,
        },
      }),
    };
  } catch (error) {
    log({
      level: 'error',
      message: `the shortcodes of post ${post.id} could not be rendered and are shown as text`,
      error,
    });
    return view;
  }
}

/** The content; null if it cannot be read. Its representation then leaves it out and logs why. */
function readContent(post: PostRecord): string | null {
  try {
    // Another program may have stored anything.
    const content: unknown = post.content;
    return typeof content === 'string' ? content : null;
  } catch {
    return null;
  }
}

/** The collections on which the shortcodes of a post depend; null if that is not known, as for a content that cannot be read. */
export function readsOfPost(shortcodes: PostShortcodes, post: PostRecord): readonly string[] | null {
  const content = readContent(post);
  return content === null ? null : shortcodes.readsOf(content);
}

/** Characters. Rendering fewer takes some milliseconds at most, whatever they are. */
const LONG = 16_384;

/** Renders in several turns of the event loop. A record that cannot be rendered fails again in its representation, which logs why and shows it as empty. */
async function buildLong(view: PostView, content: string): Promise<PostView> {
  try {
    const footnotes = toFootnotes(view.post.meta);
    return {
      ...view,
      built: await runInTurns(renderContentInSteps(content, { footnotes })),
    };
  } catch {
    return view;
  }
}

/** Renders the content if it is shown, and is long or has shortcodes. Returns any other view at once. */
function buildContent(shortcodes: PostShortcodes, view: PostView): MaybePromise<PostView> {
  const content = readContent(view.post) ?? '';
  if (view.context === 'embed' || !isOpen(view)) return view;
  if (shortcodes.has(content)) return build(shortcodes, view);
  return content.length > LONG ? buildLong(view, content) : view;
}

export interface DocumentLimits {
  readonly entries: number;
  /** Of all documents together. */
  readonly bytes: number;
}

type Documents = Map<string, Uint8Array>;

/**
 * A bounded cache of JSON documents as bytes. A key contains everything on which its document depends, so a cached document is never stale.
 * The cache has a young and an old half. A full young half replaces the old one, so eviction does not need a search.
 */
export class CachedDocuments {
  readonly #limits: DocumentLimits;
  #young: Documents = new Map();
  #old: Documents = new Map();
  /** Size of the young half. */
  #bytes = 0;

  constructor(limits: DocumentLimits) {
    this.#limits = { entries: Math.floor(limits.entries / 2), bytes: Math.floor(limits.bytes / 2) };
  }

  /** Returns the document of the key if it is cached. */
  find(key: string): Uint8Array | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Adds a document that is not cached yet, if there is room for it. */
  keep(key: string, document: Uint8Array): void {
    const { entries, bytes } = this.#limits;
    if (document.length > bytes) return;
    if (this.#young.size === entries || this.#bytes + document.length > bytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    this.#young.set(key, document);
    this.#bytes += document.length;
  }
}

/** Completes a post whose long texts were left out; undefined if the post no longer exists. Returns a complete view synchronously. */
type CompleteView = (view: PostView) => PostView | Promise<PostView | undefined>;

/** Shows posts in responses. Anonymous callers get cached documents, because a post looks the same to all of them until something changes. */
export interface ShowPosts {
  one(view: PostView): MaybePromise<unknown>;
  /** Shows the posts of one list. */
  list(complete: CompleteView): ShowRecord<PostView>;
}

const LIMITS: DocumentLimits = { entries: 50_000, bytes: 64 * 1024 * 1024 };

/**
 * Everything that all posts of a response depend on, except the names of the site. The revision of the settings also separates documents from
 * before and after a replacement of the whole store, when ids and versions start again.
 */
function toScope({ call: { request }, context, excerptWords, settings }: PostView): string {
  // None of these texts contains NUL.
  return [request.siteUrl, request.language, context, excerptWords, settings.revision].join('\0');
}

/**
 * The shown fields of a term. The version is not enough: the id of a removed term can be used again, and versions start again.
 * The lengths mark where each text ends, whatever it contains.
 */
function toTermPart(term: StoredRecord | undefined): string {
  if (term === undefined) return '-';
  const slug = String(term['slug']);
  const name = String(term['name']);
  const taxonomy = String(term['taxonomy']);
  return `${slug.length} ${name.length} ${taxonomy.length} ${slug}${name}${taxonomy}`;
}

/** Everything on which the representation of a post depends for anonymous callers, so that different input results in a different key. */
function toKey(scope: string, view: PostView): string {
  const { post, terms, siblings, history, kind, linkParts } = view;
  let key = `${scope} ${post.id} ${post.version} ${history.id} ${history.version} ${view.standsFor ?? ''}`;
  for (const id of post.categories) key += ` ${id} ${toTermPart(terms.get(id))}`;
  for (const id of post.tags) key += ` ${id} ${toTermPart(terms.get(id))}`;
  for (const id of post.terms) key += ` ${id} ${toTermPart(terms.get(id))}`;
  for (const { id, status, language, slug } of siblings)
    key += ` ${id} ${slug.length} ${language.length} ${status.length} ${slug}${language}${status}`;
  // Its address and those of its siblings have parts that do not change its version.
  if (!isLinkFixed(kind.type, linkParts))
    key += ` ${[post, ...siblings].map((each) => linkOf(each, view)).join(' ')}`;
  return key;
}

/** False for identified callers, whose rights decide what they see and for posts that a password opened. */
function isForAll({ call, isUnlocked }: PostView): boolean {
  return call.identity === ANONYMOUS && !isUnlocked;
}

const toFresh = (
  shortcodes: PostShortcodes,
  view: PostView,
  fields: Selection | null = null,
): MaybePromise<Record<string, unknown>> =>
  thenMaybe(fields?.has('content') === false ? view : buildContent(shortcodes, view), (built) =>
    toRepresentation(built, fields),
  );

/** Loads the long texts only now, if they are needed. */
const showAgain =
  (shortcodes: PostShortcodes, complete: CompleteView): ShowRecord<PostView> =>
  (view, fields) =>
    thenMaybe(complete(view), (whole) =>
      whole === undefined ? undefined : toFresh(shortcodes, whole, fields),
    );

/** Does not cache. */
export const createShowAnew = (shortcodes: PostShortcodes): ShowPosts => ({
  one: (view) => toFresh(shortcodes, view),
  list: (complete) => showAgain(shortcodes, complete),
});

/** Caches the representations of posts within these limits. */
export function createShowPosts(shortcodes: PostShortcodes, limits: DocumentLimits = LIMITS): ShowPosts {
  const documentsOf = perNames(() => new CachedDocuments(limits));
  const find = (key: string, view: PostView): Uint8Array | undefined =>
    documentsOf(view.call.site.names).find(key);
  const write = (key: string, view: PostView): MaybePromise<Uint8Array> =>
    thenMaybe(toFresh(shortcodes, view), (shown) => {
      const document = Buffer.from(JSON.stringify(shown));
      // The key has everything on which the post depends, except the records that shortcodes read.
      if (readsOfPost(shortcodes, view.post)?.length === 0)
        documentsOf(view.call.site.names).keep(key, document);
      return document;
    });
  const showOne = (view: PostView): MaybePromise<JsonText> => {
    const key = toKey(toScope(view), view);
    return thenMaybe(find(key, view) ?? write(key, view), (document) => new JsonText(document));
  };
  return {
    one: (view) => (isForAll(view) ? showOne(view) : toFresh(shortcodes, view)),
    list(complete) {
      const again = showAgain(shortcodes, complete);
      let scope: string | undefined;
      return (view, fields) => {
        if (fields !== null || !isForAll(view)) return again(view, fields);
        const own = (scope ??= toScope(view));
        const known = find(toKey(own, view), view);
        if (known !== undefined) return new JsonText(known);
        return thenMaybe(complete(view), (whole) =>
          whole === undefined
            ? undefined
            : thenMaybe(write(toKey(own, whole), whole), (document) => new JsonText(document)),
        );
      };
    },
  };
}
