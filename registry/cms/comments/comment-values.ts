import type { ArgsOf } from '../../../lib/route/args.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { escapeText } from '../../content/html.ts';
import { toPlainText } from '../../content/plain-text.ts';
import { sanitiseComment } from '../../content/sanitise.ts';
import { parseDate, type Stamp, type Zone } from '../../content/site-time.ts';
import { toWebAddress } from '../../content/web-address.ts';
import { postError } from '../errors.ts';
import type { commentWriteArgs } from './comment-args.ts';
import type { CommentContext } from './comment-context.ts';
import { commentError } from './comment-errors.ts';

/** The fields of a comment that a request may send. `id` and `type` are not in the index. */
export type CommentArgs = Partial<ArgsOf<typeof commentWriteArgs>> & { readonly id?: unknown; readonly type?: unknown; readonly meta?: unknown };

/** Longest value of a field, in characters. */
const LENGTHS = {
  author_name: [245, 'comment_author_column_length'], author_email: [100, 'comment_author_email_column_length'],
  author_url: [200, 'comment_author_url_column_length'], content: [65_525, 'comment_content_column_length'],
} as const;

/** User agents are cut at this length, in characters. */
const AGENT_LENGTH = 254;

/** How the texts of a comment are stored. */
const TEXTS = {
  author_name: (text: string) => escapeText(toPlainText(text)), author_email: (text: string) => text.trim(), author_url: toWebAddress,
  author_ip: (text: string) => text, author_user_agent: (text: string) => text.slice(0, AGENT_LENGTH),
} as const;

/** The values that a write stores. */
export type CommentValues = Record<string, Json>;

/** @throws RestError for a field that is too long */
export function checkLengths(values: Readonly<Record<string, unknown>>): void {
  for (const [name, [length, code]] of Object.entries(LENGTHS)) if (String(own(values, name) ?? '').length > length) throw commentError(code);
}

function toDates({ date, date_gmt: gmt }: CommentArgs, zone: Zone): Stamp | null {
  if (date === undefined && gmt === undefined) return null;
  const stamp = date === undefined ? parseDate(String(gmt), zone, 'gmt') : parseDate(date, zone, 'site');
  if (stamp === undefined) throw postError('invalid_date');
  return stamp;
}

/** Name, address and URL of a user, as the fields of a comment. @throws RestError `rest_comment_author_invalid` */
export async function toAuthorFields({ store }: CommentContext, id: number): Promise<CommentValues> {
  const user = id > 0 ? await store.get('users', id) : null;
  if (user === null) throw commentError('rest_comment_author_invalid');
  return { author: id, author_name: escapeText(String(user['name'])), author_email: String(user['email']), author_url: String(user['url']) };
}

/** The fields that a request sends, as they are stored. @throws RestError `rest_comment_content_invalid`, `rest_comment_author_invalid`, `invalid_date` */
export async function toSentValues(context: CommentContext, args: CommentArgs): Promise<CommentValues> {
  const { zone } = await context.settings();
  const values: CommentValues = {};
  const raw = args.content?.raw;
  if (raw !== undefined) {
    values['content'] = sanitiseComment(raw).trim();
    if (values['content'] === '') throw commentError('rest_comment_content_invalid');
  }
  if (args.author !== undefined) Object.assign(values, args.author === 0 ? { author: 0 } : await toAuthorFields(context, args.author));
  for (const [name, toStored] of Object.entries(TEXTS)) {
    const text = own<unknown>(args, name) as string | undefined;
    if (text !== undefined) values[name] = toStored(text);
  }
  if (args.parent !== undefined) values['parent'] = args.parent;
  Object.assign(values, toDates(args, zone) ?? {});
  return values;
}
