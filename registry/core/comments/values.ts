import { isObject, own } from '../../../lib/core/objects.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { toStoredTexts } from '../content/sanitise/text-fields.ts';
import { checkBounds, cutField, listTooLong } from '../model/text-bounds.ts';
import { wantedDate } from '../post-writes/post-values.ts';
import type { commentWriteArgs } from './args.ts';
import { NOTE, type CommentDeps } from './deps.ts';
import { commentError } from './errors.ts';

/** The fields of a comment that a request may send. `id` and `type` are not in the index. */
export type CommentArgs = Partial<ArgsOf<typeof commentWriteArgs>> & {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly meta?: unknown;
};

/** The errors for texts that are too long. WordPress has one for each field. */
const TOO_LONG = {
  author_name: 'comment_author_column_length',
  author_email: 'comment_author_email_column_length',
  author_url: 'comment_author_url_column_length',
  content: 'comment_content_column_length',
} as const;

/** A user agent is cut. */
export const toAgent = (text: string): string => cutField('comments', 'author_user_agent', text);

const same = (text: string): string => text;

/** What a comment says of its author. */
const AUTHOR = {
  author_name: same,
  author_email: (text: string) => text.trim(),
  author_url: same,
  author_ip: same,
  author_user_agent: toAgent,
} as const;

/** The values that a write stores. */
export type CommentValues = Record<string, Json>;

/** @throws RestError for a field that is too long */
export function checkLengths(
  values: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>> = {},
): void {
  for (const { field } of listTooLong('comments', values)) {
    const code = own<(typeof TOO_LONG)[keyof typeof TOO_LONG]>(TOO_LONG, field);
    if (code !== undefined && own(values, field) !== own(current, field)) throw commentError(code);
  }
  checkBounds('comments', values, current);
}

/** Name, address and URL of a user, as the fields of a comment. @throws RestError `rest_comment_author_invalid` */
export async function toAuthorFields({ store }: CommentDeps, id: number): Promise<CommentValues> {
  const user = id > 0 ? await store.get('users', id) : null;
  if (user === null) throw commentError('rest_comment_author_invalid');
  return {
    author: id,
    author_name: String(user['name']),
    author_email: String(user['email']),
    author_url: String(user['url']),
  };
}

/** Whether a reply says no more than what became of a note. */
const endsNote = ({ type, meta }: CommentArgs): boolean =>
  type === NOTE && isObject(meta) && Boolean(own<unknown>(meta, '_wp_note_status'));

/** The fields that a request sends, as they are stored. @throws RestError `rest_comment_content_invalid`, `rest_comment_author_invalid`, `invalid_date` */
export async function toSentValues(context: CommentDeps, args: CommentArgs): Promise<CommentValues> {
  const { zone } = await context.settings();
  const values: CommentValues = {};
  if (args.content?.raw !== undefined) values['content'] = args.content.raw;
  if (args.author !== undefined)
    Object.assign(values, args.author === 0 ? { author: 0 } : await toAuthorFields(context, args.author));
  for (const [name, toStored] of Object.entries(AUTHOR)) {
    const text = own<unknown>(args, name) as string | undefined;
    if (text !== undefined) values[name] = toStored(text);
  }
  if (args.parent !== undefined) values['parent'] = args.parent;
  const stored: CommentValues = toStoredTexts('comments', { ...values, ...wantedDate(args, zone) });
  if (stored['content'] === '' && !endsNote(args)) throw commentError('rest_comment_content_invalid');
  return stored;
}
