import { createErrors, type ErrorTable, RestError } from '../../../lib/core/errors.ts';
import { can, type Identity } from '../../../lib/core/identity.ts';
import type { PlainCollection, Refuse } from '../../../lib/crud/plain-collection.ts';
import { type Call, type Permission, subject, type Verdict } from '../../../lib/route/call.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { Taxonomy } from '../model/content-type.ts';
import type { FindReadable } from '../post-views/load-views.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import type { RecordMeta } from '../records/meta-values.ts';
import { mayReadTerms } from '../records/rights.ts';
import type { TermRecord } from '../records/term-record.ts';
import type { CountTerms } from './counts.ts';
import { byTermAction } from './routes.ts';

/** Errors of terms. A code with several messages has one row for each. */
export const TERM_ERRORS = {
  rest_term_invalid: [404, 'Term does not exist.'],
  rest_post_invalid_id: [400, 'Invalid post ID.'],
  rest_cannot_view: ['denied', 'Sorry, you are not allowed to view these terms.'],
  rest_forbidden_context: ['denied', 'Sorry, you are not allowed to edit this term.'],
  rest_cannot_create: ['denied', 'Sorry, you are not allowed to create terms in this taxonomy.'],
  rest_cannot_update: ['denied', 'Sorry, you are not allowed to edit this term.'],
  rest_cannot_delete: ['denied', 'Sorry, you are not allowed to delete this term.'],
  rest_taxonomy_not_hierarchical: [400, 'Cannot set parent term, taxonomy is not hierarchical.'],
  rest_trash_not_supported: [501, "Terms do not support trashing. Set 'force=true' to delete."],
  term_exists: [400, 'A term with the name provided already exists with this parent.'],
  // WordPress answers these two with 500, because its errors have no status of their own.
  empty_term_name: [400, 'A name is required for this term.'],
  duplicate_term_slug: [409, 'The slug is already in use by another term.'],
} as const satisfies ErrorTable;

export const termError = createErrors(TERM_ERRORS);

/** Errors of the parent of a term that is written. */
export const TERM_PARENT_ERRORS = {
  rest_term_invalid: [400, 'Parent term does not exist.'],
} as const satisfies ErrorTable;

export const termParentError = createErrors(TERM_PARENT_ERRORS);

/** What the functions of one taxonomy share. */
export interface TermDeps extends CmsDeps {
  readonly taxonomy: Taxonomy;
  /** Path segments of the types of the taxonomy. */
  readonly typeBases: readonly string[];
  readonly count: CountTerms;
  readonly findPost: FindReadable;
  readonly meta: RecordMeta;
  /** Ids of the terms that nobody may delete, such as the default category. */
  readonly fixed: () => Promise<ReadonlySet<number>>;
  /** The terms of a record of this language that loses its last one. */
  readonly termsWithout: (language: string) => Promise<readonly number[]>;
}

/** Everybody who may give terms to posts may create terms of a flat taxonomy. */
const mayCreate = (identity: Identity, { hierarchical, capabilities }: Taxonomy): boolean =>
  can(identity, hierarchical ? capabilities.edit_terms : capabilities.assign_terms);

const forbidden = (what: string): RestError =>
  termError('rest_forbidden_context', { message: `Sorry, you are not allowed to ${what}.` });

const toIds = (value: Json | undefined): readonly number[] => (Array.isArray(value) ? value.map(Number) : []);

/** Refusals of changes, which the handlers check again on a term that has changed meanwhile. */
export function createTermRefusals({
  capabilities,
}: Taxonomy): Readonly<Record<'update' | 'remove', Refuse<TermRecord>>> {
  return {
    update: ({ identity }) =>
      can(identity, capabilities.edit_terms) ? null : termError('rest_cannot_update'),
    remove: ({ identity }) =>
      can(identity, capabilities.delete_terms) ? null : termError('rest_cannot_delete'),
  };
}

/** Permission functions of a taxonomy by id. If one names a term, its subject is the term that it checked. */
export function createTermPermissions(
  { taxonomy, findPost, fixed, content, exposed }: TermDeps,
  collection: PlainCollection<TermRecord>,
): Readonly<Record<string, Permission>> {
  const { edit_terms: edit } = taxonomy.capabilities;
  const refusals = createTermRefusals(taxonomy);
  const mayRead = (identity: Identity): boolean => mayReadTerms(taxonomy, identity, { exposed, content });
  const removable = collection.permission('id', refusals.remove);
  const found = collection.permission('id', ({ identity }, _term, args) =>
    args['context'] === 'edit' && !can(identity, edit) ? termError('rest_forbidden_context') : null,
  );
  const readable: Permission = (args, call) =>
    mayRead(call.identity) ? found(args, call) : termError('rest_cannot_view');
  const listOf = async (post: number, call: Call): Promise<Verdict> => {
    const found = await findPost(call, post);
    if (found === null) return termError('rest_post_invalid_id');
    if (found instanceof RestError) return forbidden('view terms for this post');
    return subject<TermsOfPost>({ terms: toIds(found[taxonomy.field]) });
  };
  return byTermAction<Permission>(taxonomy, {
    list: (args, call) => {
      if (!mayRead(call.identity)) return termError('rest_cannot_view');
      if (args['context'] === 'edit' && !can(call.identity, edit))
        return forbidden('edit terms in this taxonomy');
      const post = Number(args['post'] ?? 0);
      return post === 0 ? true : listOf(post, call);
    },
    create: (_args, { identity }) => (mayCreate(identity, taxonomy) ? true : termError('rest_cannot_create')),
    read: readable,
    translations: readable,
    update: collection.permission('id', refusals.update),
    remove: async (args, call) => {
      const verdict = await removable(args, call);
      const isFixed = !(verdict instanceof RestError) && (await fixed()).has(Number(args['id']));
      return isFixed ? termError('rest_cannot_delete') : verdict;
    },
  });
}

/** The subject of a list that names a post: the ids of its terms. */
export interface TermsOfPost {
  readonly terms: readonly number[];
}
