import { can } from '../../../lib/core/identity.ts';
import { defined } from '../../../lib/core/objects.ts';
import type { Draft } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { and, eq, equalsFolded, hasAny, type Predicate } from '../../../lib/store/query.ts';
import {
  findFirst,
  type Operation,
  type Store,
  type StoredRecord,
  toRemove,
  toUpdate,
} from '../../../lib/store/store.ts';
import { listAncestors, loadWithAncestors, type PathTerm } from '../addresses/permalink.ts';
import { toStoredTexts } from '../content/sanitise/text-fields.ts';
import { findFreeSlug, listTakenSlugs, SLUG_BYTES, toSlug, withEnding } from '../content/slug.ts';
import { claimTree } from '../limits/locks.ts';
import { listBelongings } from '../records/history.ts';
import { toTerm, type TermRecord } from '../records/term-record.ts';
import { checkBounds } from '../records/text-bounds.ts';
import { checkLanguage, planLinks, type TranslationLinks } from '../translations/translation-links.ts';
import { termError, termParentError, type TermDeps } from './permissions.ts';
import type { TermWriteArgs } from './routes.ts';

/** Slugs are unique in a taxonomy and language. */
type TermScope = Pick<TermRecord, 'taxonomy' | 'language'>;

/** The term of the scope with this slug; undefined if there is none. */
async function findBySlug(
  store: Store,
  { taxonomy, language }: TermScope,
  slug: string,
): Promise<TermRecord | undefined> {
  const found = await findFirst(store, {
    collection: 'terms',
    where: and(eq('taxonomy', taxonomy), eq('language', language), eq('slug', slug)),
  });
  return found as TermRecord | undefined;
}

const MOST_ENDING = SLUG_BYTES / 2;

/** The slug, or if it is taken the slug with the slugs of ever more ancestors, or else with a number. `ancestors`: the top one first. `own`: the slug of the term itself, which is free for it. */
async function chooseSlug(
  store: Store,
  { taxonomy, language }: TermScope,
  {
    slug,
    ancestors,
    own = '',
  }: { slug: string; ancestors: readonly Pick<TermRecord, 'slug'>[]; own?: string },
): Promise<string> {
  let last = slug;
  const named = [
    slug,
    ...ancestors.toReversed().map((ancestor) => {
      last = withEnding(last, `-${ancestor.slug.slice(0, MOST_ENDING)}`);
      return last;
    }),
  ];
  const place = { collection: 'terms', where: and(eq('taxonomy', taxonomy), eq('language', language)) };
  const taken = await listTakenSlugs(store, place, named);
  const free = named.find((each) => each === own || !taken.has(each));
  return free ?? findFreeSlug(store, place, { slug: last, own });
}

/** Most posts that are changed in one commit. */
const AT_ONCE = 200;

/** The post without the term, or its removal if the term owns it. A post that loses its last term may get another one. */
async function toPostUpdates(
  { taxonomy: { field, owns }, termsWithout }: TermDeps,
  post: StoredRecord,
  removed: number,
): Promise<readonly Operation[]> {
  if (owns) return [toRemove('posts', post), ...listBelongings(post.id)];
  const left = (post[field] as readonly number[]).filter((id) => id !== removed);
  const terms = left.length > 0 ? left : await termsWithout(String(post['language']));
  return [toUpdate('posts', post, { [field]: terms })];
}

/** The changes of each of its posts, at most of `AT_ONCE`. */
async function listPostUpdates(
  context: TermDeps,
  removed: number,
): Promise<readonly (readonly Operation[])[]> {
  const { field } = context.taxonomy;
  const where: Predicate = hasAny(field, [removed]);
  const { records } = await context.store.find({
    collection: 'posts',
    where,
    limit: AT_ONCE,
    fields: [field, 'language'],
  });
  return Promise.all(records.map((post) => toPostUpdates(context, post, removed)));
}

/** The operations that belong to the removal of a term: its posts lose it or go with it, and its children move up to its parent. Posts beyond the first few are changed before. */
export async function listRemovalEffects(
  context: TermDeps,
  { id, parent }: TermRecord,
): Promise<readonly Operation[]> {
  let posts = await listPostUpdates(context, id);
  while (posts.length >= AT_ONCE) {
    await context.store.commit(posts.flat());
    posts = await listPostUpdates(context, id);
  }
  const { records } = await context.store.find({ collection: 'terms', where: eq('parent', id), fields: [] });
  const moves = records.map((child) => toUpdate('terms', child, { parent }));
  const effects = [...posts.flat(), ...context.termBelongings.map((belongingOf) => belongingOf(id))];
  return moves.length === 0
    ? effects
    : [...effects, await claimTree(context.store, context.taxonomy.name), ...moves];
}

/** The slug of a term whose name does not result in one. */
const UNNAMED = 'term';

/** The texts that were sent, as they are stored. @throws RestError `empty_term_name` */
function toTexts<T extends { readonly name?: string; readonly description?: string }>(sent: T): T {
  const texts = toStoredTexts('terms', sent);
  if (texts.name === '') throw termError('empty_term_name');
  return texts;
}

/** @throws RestError `rest_taxonomy_not_hierarchical`, `rest_term_invalid` */
async function loadParent(
  { store, taxonomy }: TermDeps,
  parent: number | undefined,
): Promise<TermRecord | null> {
  if (parent === undefined) return null;
  if (!taxonomy.hierarchical) throw termError('rest_taxonomy_not_hierarchical');
  if (parent === 0) return null;
  const found = await store.get('terms', parent);
  if (found === null || found['taxonomy'] !== taxonomy.name) throw termParentError('rest_term_invalid');
  return toTerm(found);
}

/** The parent and its ancestors, the top one first; empty for a term of the top level. */
async function loadLine({ store }: TermDeps, parent: PathTerm | null): Promise<readonly PathTerm[]> {
  return parent === null ? [] : [...listAncestors(parent, await loadWithAncestors(store, [parent])), parent];
}

interface NewTerm extends TermScope {
  readonly name: string;
  readonly slug: string;
  readonly parent: number;
  /** Whether the caller sent the slug. */
  readonly isSlugGiven: boolean;
}

/** Rejects a second term of the same name beside the first, unless its slug tells them apart. @throws RestError `term_exists` */
async function refuseSameName(
  { store, taxonomy }: TermDeps,
  { name, slug, parent, isSlugGiven, ...scope }: NewTerm,
): Promise<void> {
  const siblings = and(
    eq('taxonomy', scope.taxonomy),
    eq('language', scope.language),
    eq('parent', parent),
    equalsFolded('name', name),
  );
  const alike = (await store.find({ collection: 'terms', where: siblings })).records
    .map(toTerm)
    .find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (alike === undefined) return;
  const holder = await findBySlug(store, scope, slug);
  if (isSlugGiven && alike.slug !== slug && holder === undefined) return;
  const isSame = !taxonomy.hierarchical || (alike.name === name && (!isSlugGiven || alike.slug === slug));
  const id = isSame ? alike.id : holder?.parent === parent ? holder.id : undefined;
  if (id === undefined) return;
  throw termError('term_exists', {
    message: taxonomy.hierarchical
      ? undefined
      : 'A term with the name provided already exists in this taxonomy.',
    data: { term_id: id },
    additionalData: [id, id],
  });
}

/** A new term in the language of the call. Another writer may take the slug at the same time, and with it the name. @throws RestError `empty_term_name`, `term_exists`, and as `loadParent` and `checkBounds` */
export async function toNewTerm(context: TermDeps, call: Call, args: TermWriteArgs): Promise<Draft> {
  const { store, taxonomy } = context;
  const { name, description } = toTexts({ name: args.name ?? '', description: args.description ?? '' });
  const meta = context.meta.toValues(call, args.meta, null);
  const line = await loadLine(context, await loadParent(context, args.parent));
  const parent = line.at(-1)?.id ?? 0;
  const scope: TermScope = { taxonomy: taxonomy.name, language: call.language };
  const wanted = toSlug(args.slug === undefined || args.slug === '' ? name : args.slug) || UNNAMED;
  // The slug comes first. A term of this name that another writer creates before that is then seen by name, and one created later takes the slug from this commit.
  const slug = await chooseSlug(store, scope, { slug: wanted, ancestors: line });
  await refuseSameName(context, {
    ...scope,
    name,
    slug: wanted,
    parent,
    isSlugGiven: (args.slug ?? '') !== '',
  });
  const links = await planTermLinks(context, call, { args, current: null, language: scope.language });
  const values = {
    ...scope,
    name,
    slug,
    parent,
    description,
    ...meta,
    ...(links === null ? {} : { group: links.group }),
  };
  checkBounds('terms', values);
  return { values, also: links?.also ?? [] };
}

interface LinkedTerm {
  readonly args: TermWriteArgs;
  readonly current: TermRecord | null;
  readonly language: string;
}

/** Links of terms need the right to edit the terms of the taxonomy. @throws RestError `rest_invalid_param` */
function planTermLinks(
  { store, taxonomy }: TermDeps,
  { identity }: Call,
  { args, current, language }: LinkedTerm,
): Promise<TranslationLinks | null> {
  const isLinkable = (record: StoredRecord): boolean =>
    record['taxonomy'] === taxonomy.name && can(identity, taxonomy.capabilities.edit_terms);
  return planLinks(store, { collection: 'terms', current, language, isLinkable }, args);
}

/** @throws RestError `duplicate_term_slug` */
async function toSlugOf(
  context: TermDeps,
  args: TermWriteArgs,
  { current, values }: { current: TermRecord; values: Readonly<Record<string, Json>> },
): Promise<string> {
  const { store } = context;
  const next = toTerm({ ...current, ...values });
  const isEmpty = args.slug === '';
  const slug = args.slug === undefined ? current.slug : toSlug(isEmpty ? next.name : args.slug) || UNNAMED;
  const holder = await findBySlug(store, next, slug);
  if (holder === undefined || holder.id === current.id) return slug;
  if (!isEmpty && next.parent === current.parent && next.language === current.language) {
    throw termError('duplicate_term_slug', {
      message: `The slug &#8220;${slug}&#8221; is already in use by another term.`,
    });
  }
  const parent = next.parent === 0 ? null : await store.get('terms', next.parent);
  return chooseSlug(store, next, {
    slug,
    ancestors: await loadLine(context, parent === null ? null : toTerm(parent)),
    own: current.slug,
  });
}

/** The changed fields of a term. A parent that is the term itself or below it makes it a term of the top level. @throws RestError as `toNewTerm`, and `duplicate_term_slug` */
export async function toTermChange(
  context: TermDeps,
  call: Call,
  { args, current }: { args: TermWriteArgs; current: TermRecord },
): Promise<Draft> {
  const claimed =
    (args.parent ?? 0) > 0 && args.parent !== current.parent
      ? [await claimTree(context.store, context.taxonomy.name)]
      : [];
  const values: Record<string, Json> = {
    ...toTexts(defined({ name: args.name, description: args.description })),
  };
  Object.assign(values, context.meta.toValues(call, args.meta, current.meta));
  checkBounds('terms', values, current);
  if (call.given.has('ml_language')) values['language'] = call.language;
  const line = await loadLine(context, await loadParent(context, args.parent));
  if (args.parent !== undefined)
    values['parent'] = line.some(({ id }) => id === current.id) ? 0 : args.parent;
  if (args.slug !== undefined || values['language'] !== undefined || values['parent'] !== undefined)
    values['slug'] = await toSlugOf(context, args, { current, values });
  const language = String(values['language'] ?? current.language);
  const links = await planTermLinks(context, call, { args, current, language });
  if (links !== null) values['group'] = links.group;
  await checkLanguage(context.store, { collection: 'terms', current }, { language, group: links?.group });
  return { values, also: [...claimed, ...(links?.also ?? [])] };
}
