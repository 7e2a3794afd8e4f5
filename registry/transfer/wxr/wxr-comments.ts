import { own } from '../../../lib/core/objects.ts';
import { childElements, type XmlElement } from '../../core/content/xml.ts';
import type { ReadResult, Item } from '../items/item.ts';
import { toDatePair, toMadeDates, WRONG_DATE } from '../items/read-context.ts';
import { childId, childText, hasDay, readMetaEntries } from './wxr-element.ts';
import { readMeta } from './wxr-meta.ts';
import { found, leftOut, toUser, type WxrItem, type WxrState } from './wxr-state.ts';

/** Statuses by the words of the format and of the database. */
const STATUSES: Readonly<Record<string, string>> = {
  1: 'approved',
  0: 'hold',
  approve: 'approved',
  approved: 'approved',
  hold: 'hold',
  spam: 'spam',
  trash: 'trash',
  'post-trashed': 'trash',
};
const TRASHED_FROM = '_wp_trash_meta_status';
const KNOWN_KEYS: ReadonlySet<string> = new Set([TRASHED_FROM, '_wp_trash_meta_time']);

function toValues(
  { context: { zone } }: WxrState,
  element: XmlElement,
  { entries, author }: { entries: ReadonlyMap<string, readonly string[]>; author: number },
): Item['values'] {
  const status = own(STATUSES, childText(element, 'wp:comment_approved').trim()) ?? 'hold';
  return {
    ...toDatePair(childText(element, 'wp:comment_date'), childText(element, 'wp:comment_date_gmt'), {
      zone,
      floats: false,
    }),
    status,
    author,
    author_name: childText(element, 'wp:comment_author'),
    author_email: childText(element, 'wp:comment_author_email'),
    author_url: childText(element, 'wp:comment_author_url'),
    author_ip: childText(element, 'wp:comment_author_IP'),
    content: childText(element, 'wp:comment_content'),
    type: childText(element, 'wp:comment_type') || 'comment',
    parent: childId(element, 'wp:comment_parent'),
    trashed_from:
      status === 'trash' || status === 'spam'
        ? (own(STATUSES, entries.get(TRASHED_FROM)?.[0] ?? '') ?? '')
        : '',
  };
}

/**
 * The user who wrote a comment; 0 for a visitor. The authors of a file are those of posts. A user who only comments is known by what
 * the comment says of its author.
 */
function* readAuthorOf(state: WxrState, element: XmlElement, place: string): Generator<ReadResult, number> {
  const id = childId(element, 'wp:comment_user_id');
  const email = childText(element, 'wp:comment_author_email').trim();
  if (id === 0 || state.knowsUser(id)) return id;
  if (email === '') return 0;
  yield found(
    toUser(state, { place, id, login: email, email, name: childText(element, 'wp:comment_author') }),
  );
  return id;
}

/** The comments of an item. Those that name no day get the date of the item. */
export function* readComments(
  state: WxrState,
  { element, id: post, place, type }: WxrItem,
  { language, dates }: { language: string; dates: Item['values'] },
): Generator<ReadResult> {
  for (const each of childElements(element, 'wp:comment')) {
    const id =
      childId(each, 'wp:comment_id') ||
      state.makeId(
        'comment',
        String(post),
        childText(each, 'wp:comment_date_gmt'),
        childText(each, 'wp:comment_author'),
        childText(each, 'wp:comment_content'),
      );
    const at = `${place}, comment ${id}`;
    const entries = readMetaEntries(each, 'commentmeta');
    const author = yield* readAuthorOf(state, each, at);
    const isUndated = !hasDay(each, 'wp:comment_date', 'wp:comment_date_gmt');
    const values = {
      ...toValues(state, each, { entries, author }),
      ...(isUndated
        ? { date: dates['date'] ?? '', date_gmt: dates['date_gmt'] || dates['modified_gmt'] || '' }
        : {}),
    };
    const { meta, leftOut: keys } = readMeta(at, entries, {
      of: 'comment',
      keys: state.context.content.meta.get('comment') ?? [],
      known: KNOWN_KEYS,
    });
    for (const leftOut of keys) yield { leftOut };
    const isWrong = values['date_gmt'] === '';
    if (isWrong) yield leftOut(at, 'date of the comment', WRONG_DATE);
    const { date, date_gmt } = toMadeDates(state.context);
    yield found({
      place: at,
      collection: 'comments',
      id,
      values: {
        ...values,
        ...(isWrong ? { date, date_gmt } : {}),
        post,
        post_type: type.name,
        language,
        ...(Object.keys(meta).length === 0 ? {} : { meta }),
      } as Item['values'],
    });
  }
}
