import { isObject, own } from '../../../lib/core/objects.ts';
import { toPlainText } from '../content/html/plain-text.ts';
import { toMarkdown } from '../content/html/to-markdown.ts';

/** A record as the interface shows it. */
type Shown = Readonly<Record<string, unknown>>;

const textIn = (value: unknown, name = 'rendered'): string => {
  const text = isObject(value) ? own(value, name) : value;
  return typeof text === 'string' ? text : '';
};

/** Whether a value shows a record that has a page: with a title, a content and an address. */
export function isPageRecord(value: unknown): value is Shown {
  return isObject(value) && 'link' in value && isObject(value['content']) && isObject(value['title']);
}

/** The title without markup. */
export const titleOf = ({ title }: Shown): string => toPlainText(textIn(title));

/** A text in Markdown that shows the same text. */
export const escapeMarks = (text: string): string => text.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`);

/** JSON texts are texts of YAML as well. */
const toLine = (name: string, value: string): string => `${name}: ${JSON.stringify(value)}`;

/** Languages with the addresses of the translations. */
function toAlternates({ _links: links }: Shown): readonly string[] {
  const list = isObject(links) ? own(links, 'alternate') : undefined;
  const lines = (Array.isArray(list) ? list : []).filter(isObject).flatMap((link) => {
    const [language, href] = [textIn(link, 'hreflang'), textIn(link, 'href')];
    return language === '' || href === '' ? [] : [`  ${JSON.stringify(language)}: ${JSON.stringify(href)}`];
  });
  return lines.length === 0 ? [] : ['alternates:', ...lines];
}

/** The record as Markdown, with its facts in front (YAML). */
export function recordToMarkdown(record: Shown, languageField: string): string {
  const title = titleOf(record);
  const date = (name: string): readonly string[] => {
    const gmt = textIn(own(record, `${name}_gmt`));
    return gmt === '' ? [] : [toLine(name, `${gmt}Z`)];
  };
  const language = textIn(own(record, languageField));
  const facts = [
    toLine('title', title),
    ...date('date'),
    ...date('modified'),
    ...(language === '' ? [] : [toLine('language', language)]),
    toLine('canonical', textIn(record['link'])),
    ...toAlternates(record),
  ];
  const content = toMarkdown(textIn(record['content']));
  return ['---', ...facts, '---', '', `# ${escapeMarks(title)}`, '', content, ''].join('\n');
}

/** A list as Markdown: a line for each record, with its address and its excerpt. */
export function listToMarkdown(records: readonly Shown[]): string {
  const lines = records.map((record) => {
    const excerpt = toPlainText(textIn(record['excerpt'])).replaceAll(/\s+/g, ' ').trim();
    const title = escapeMarks(titleOf(record));
    const address = `<${textIn(record['link']).replaceAll(/[<>\s]/g, encodeURIComponent)}>`;
    return `- [${title}](${address})${excerpt === '' ? '' : `: ${escapeMarks(excerpt)}`}`;
  });
  return `${lines.join('\n')}\n`;
}
