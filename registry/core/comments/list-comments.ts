import type { RestResponse } from '../../../lib/http/response.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, eq, inOrderOf, not, oneOf, type Order, type Predicate } from '../../../lib/store/query.ts';
import { dateConditions, idConditions, searchConditions } from '../records/list-conditions.ts';
import { type CommentDeps, NOTE } from './permissions.ts';
import type { commentListArgs } from './routes.ts';

export type CommentListArgs = ArgsOf<typeof commentListArgs>;

/** The statuses that a word of the API stands for; every other word is a status itself. */
const STATUS_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['approve', ['approved']],
  ['all', ['approved', 'hold']],
  ['any', ['approved', 'hold']],
]);

/**
 * The posts whose comments are listed. The permission has checked those that the list names. All others are those of the language,
 * except the posts whose comments the caller may not read.
 */
async function postConditions(
  { access }: CommentDeps,
  { post }: CommentListArgs,
  { identity, language }: Call,
): Promise<readonly Predicate[]> {
  const ofTypes = oneOf('post_type', access.types);
  if (post.length > 0) return [ofTypes, oneOf('post', post)];
  const hidden = await access.listHidden(identity);
  return [ofTypes, eq('language', language), ...(hidden.length === 0 ? [] : [not(oneOf('post', hidden))])];
}

async function toWhere(context: CommentDeps, args: CommentListArgs, call: Call): Promise<Predicate> {
  const { zone } = await context.settings();
  const { author_email: email, status, type, search } = args;
  return and(
    oneOf('status', STATUS_WORDS.get(status) ?? [status]),
    type === 'all' ? not(eq('type', NOTE)) : eq('type', type),
    ...(email === undefined ? [] : [eq('author_email', email)]),
    ...(await postConditions(context, args, call)),
    ...idConditions(args),
    ...dateConditions(args, zone),
    ...searchConditions(search, ['author_name', 'content']),
  );
}

function toOrder({ orderby, order: direction, include }: CommentListArgs): readonly Order[] {
  if (orderby === 'include')
    return include.length === 0 ? [{ field: 'date_gmt', direction }] : [inOrderOf('id', include)];
  return [{ field: orderby, direction }];
}

/** The list of comments. */
export async function listComments(
  context: CommentDeps,
  args: CommentListArgs,
  call: Call,
): Promise<RestResponse> {
  const where = await toWhere(context, args, call);
  return context.collection.list(call, {
    where,
    order: toOrder(args),
    context: args.context,
    page: args.page,
    perPage: args.per_page,
    offset: args.offset,
  });
}
