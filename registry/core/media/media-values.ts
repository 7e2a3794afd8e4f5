import { can } from '../../../lib/core/identity.ts';
import { defined } from '../../../lib/core/objects.ts';
import type { Draft } from '../../../lib/crud/plain-collection.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { eq, not } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import { toStoredTexts } from '../content/sanitise/text-fields.ts';
import { toStamp, type Zone } from '../content/site-time.ts';
import { findFreeNumber, listTakenSlugs, toSlug, toSuffixed } from '../content/slug.ts';
import { baseOf } from '../files/library-file.ts';
import { nextModified, wantedDate } from '../post-writes/post-dates.ts';
import { checkAuthor } from '../post-writes/write-post.ts';
import { toMedia, type MediaRecord, nameOfFile } from '../records/media-record.ts';
import { checkBounds } from '../records/text-bounds.ts';
import type { translationArgs } from '../schemas/common-args.ts';
import { checkLanguage, planLinks } from '../translations/translation-links.ts';
import { checkParent, type MediaDeps } from './permissions.ts';
import type { mediaWriteArgs } from './routes.ts';

/** The fields that a write may send. */
export type MediaArgs = Partial<ArgsOf<typeof mediaWriteArgs> & ArgsOf<typeof translationArgs>>;

/** The values that a write stores. */
export type MediaValues = Record<string, Json>;

const TEXTS = ['title', 'caption', 'description'] as const;

/** The texts that were sent. Only callers with `unfiltered_html` may store any markup. */
function toTexts(args: MediaArgs, { identity }: Call): MediaValues {
  const values: MediaValues = args.alt_text === undefined ? {} : { alt: args.alt_text };
  for (const name of TEXTS) if (args[name]?.raw !== undefined) values[name] = args[name].raw;
  return toStoredTexts('media', values, can(identity, 'unfiltered_html'));
}

/** The slug, with a number if a file or post has it, as in WordPress. If another write takes it at the same moment, the store refuses this one, which then starts again. `own`: the id of the file itself; 0: it is new. */
async function chooseSlug(store: Store, wanted: string, own: number): Promise<MediaValues> {
  const number = await findFreeNumber({ slug: wanted }, async (slugs) => {
    const [files, posts] = await Promise.all([
      listTakenSlugs(store, { collection: 'media', where: not(eq('id', own)) }, slugs),
      listTakenSlugs(store, { collection: 'posts' }, slugs),
    ]);
    return new Set([...files, ...posts]);
  });
  const slug = toSuffixed(wanted, number);
  return { slug, chosen_slug: slug };
}

function toDates(args: MediaArgs, zone: Zone): MediaValues {
  const stamp = wantedDate(args, zone);
  return stamp === undefined || stamp === null ? {} : { ...stamp };
}

/** A file is never published by itself, so a status other than private means that of its post. */
const toStatus = ({ status }: MediaArgs): MediaValues =>
  status === undefined ? {} : { status: status === 'private' ? status : 'inherit' };

/** The values of a write without its slug. @throws RestError `rest_invalid_author`, `invalid_date`, and as `checkParent` */
async function toSentValues(
  context: MediaDeps,
  call: Call,
  { args, parent }: { readonly args: MediaArgs; readonly parent: number },
): Promise<MediaValues> {
  const { zone } = await context.settings();
  await checkAuthor(context, args.author);
  if (args.post !== undefined && args.post !== 0 && args.post !== parent)
    await checkParent(context, call, args.post);
  const { comment_status, ping_status, author, post } = args;
  return {
    ...toTexts(args, call),
    ...toDates(args, zone),
    ...toStatus(args),
    ...defined({ comment_status, ping_status, author: author === 0 ? undefined : author, parent: post }),
  };
}

/** The translation links of a write, with the language of the record after it. @throws RestError `rest_invalid_param` */
async function planLanguage(
  { store, access }: MediaDeps,
  call: Call,
  { args, current }: { readonly args: MediaArgs; readonly current: MediaRecord | null },
): Promise<Draft> {
  const language = call.given.has('ml_language') ? call.language : (current?.language ?? '');
  const isLinkable = (record: StoredRecord): boolean => access.mayEdit(call.identity, toMedia(record));
  const links = await planLinks(store, { collection: 'media', current, language, isLinkable }, args);
  await checkLanguage(store, { collection: 'media', current }, { language, group: links?.group });
  const values = { language, ...(links === null ? {} : { group: links.group }) };
  return { values, also: links?.also ?? [] };
}

/** The title of a file that comes without one: its name without the extension. */
const toDefaultTitle = ({ file }: MediaValues): string => baseOf(nameOfFile({ file: String(file) }));

/** The values of a new file. `title`: of the original of a translation. @throws RestError as `toSentValues` */
export async function toNewMedia(
  context: MediaDeps,
  call: Call,
  {
    args,
    file,
    title = toDefaultTitle(file),
  }: { readonly args: MediaArgs; readonly file: MediaValues; readonly title?: string },
): Promise<Draft> {
  const { zone } = await context.settings();
  const { date, date_gmt } = toStamp(context.now(), zone);
  const values: MediaValues = {
    author: call.identity.id,
    date,
    date_gmt,
    modified: date,
    modified_gmt: date_gmt,
    status: 'inherit',
    comment_status: 'open',
    ping_status: 'closed',
    ...file,
    ...(await toSentValues(context, call, { args, parent: 0 })),
  };
  values['title'] ??= title;
  checkBounds('media', values);
  const slug = toSlug(args.slug ?? '') || toSlug(String(values['title'])) || toSlug(title) || 'file';
  const planned = await planLanguage(context, call, { args, current: null });
  return {
    values: { ...values, ...planned.values, ...(await chooseSlug(context.store, slug, 0)) },
    also: planned.also ?? [],
  };
}

/** The changed values of a file. @throws RestError as `toSentValues` */
export async function toChangedMedia(
  context: MediaDeps,
  call: Call,
  { args, media }: { readonly args: MediaArgs; readonly media: MediaRecord },
): Promise<Draft> {
  const { zone } = await context.settings();
  const values = await toSentValues(context, call, { args, parent: media.parent });
  checkBounds('media', values, media);
  const slug = toSlug(args.slug ?? '');
  const planned = await planLanguage(context, call, { args, current: media });
  return {
    values: {
      ...values,
      ...planned.values,
      ...nextModified({ ...media, status: 'publish' }, toStamp(context.now(), zone)),
      ...(slug === '' || slug === media.slug ? {} : await chooseSlug(context.store, slug, media.id)),
    },
    also: planned.also ?? [],
  };
}
