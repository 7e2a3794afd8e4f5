import { type StoredRecord, and, eq } from '../../../../lib/index.ts';
import { type ContentType, type Ports, escapeMarks, own, servicesOf, toPlainText } from '../../../plugin.ts';
import { toText } from '../values/json.ts';
import { toEntries, type EntryPlace } from './entries.ts';
import { createListedPosts } from './listed-records.ts';

/** Most records of a type in the file. A model reads it whole. */
const MOST = 100;
/** Characters of an excerpt. */
const EXCERPT = 200;

const toLine = (html: string): string => toPlainText(html).replaceAll(/\s+/g, ' ').trim();

function toItem(record: StoredRecord, url: string): string {
  const excerpt = toLine(toText(record['excerpt']));
  const short = excerpt.length > EXCERPT ? `${excerpt.slice(0, EXCERPT).trimEnd()}…` : excerpt;
  const title = escapeMarks(toLine(toText(record['title'])) || url);
  return `- [${title}](${url})${short === '' ? '' : `: ${escapeMarks(short)}`}`;
}

/** The newest records of a type in the default language that search engines may list. */
async function* listType(ports: Ports, place: EntryPlace, type: ContentType): AsyncGenerator<string> {
  const listed = createListedPosts(ports)(type);
  const [language = ''] = place.languages;
  const { records } = await ports.store.find({
    collection: 'posts',
    where: and(listed.where, eq('language', language)),
    order: [{ field: 'date_gmt', direction: 'desc' }],
    limit: MOST,
    fields: [...listed.fields, 'title', 'excerpt', 'date_gmt'],
  });
  const open = new Set((await toEntries(place, listed, records)).map(({ url }) => url));
  const urlOf = await listed.loadUrls(records, place.site);
  const items = records.flatMap((record) => {
    const url = urlOf(record);
    return open.has(url) ? [toItem(record, url)] : [];
  });
  if (items.length > 0) yield `\n## ${escapeMarks(type.labels.name)}\n\n${items.join('\n')}\n`;
}

/** Writes `/llms.txt` (llmstxt.org): what the site is, and its newest pages and posts in the default language. */
export async function* writeLlmsFile(
  ports: Ports,
  place: EntryPlace,
  types: readonly ContentType[],
): AsyncGenerator<string> {
  const [language = ''] = place.languages;
  const { name, description } = await servicesOf(ports).settings();
  const about = toLine(own(description, language) ?? '');
  yield `# ${escapeMarks(toLine(own(name, language) ?? '') || place.site.home(language))}\n`;
  if (about !== '') yield `\n> ${escapeMarks(about)}\n`;
  for (const type of types) yield* listType(ports, place, type);
}
