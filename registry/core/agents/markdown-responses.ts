import { engineError } from '../../../lib/core/errors.ts';
import { escapeMarks } from '../../../lib/core/escape.ts';
import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { renameParam } from '../../../lib/core/names.ts';
import { isObject, own, perObject } from '../../../lib/core/objects.ts';
import type { Engine } from '../../../lib/engine/engine.ts';
import type { WireResponse } from '../../../lib/http/host.ts';
import { chooseType, withoutAccept } from '../../../lib/http/media-type.ts';
import { changeRequest, isRead, type RestRequest } from '../../../lib/http/request.ts';
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
function listToMarkdown(records: readonly Shown[]): string {
  const lines = records.map((record) => {
    const excerpt = toPlainText(textIn(record['excerpt'])).replaceAll(/\s+/g, ' ').trim();
    const title = escapeMarks(titleOf(record));
    const address = `<${textIn(record['link']).replaceAll(/[<>\s]/g, encodeURIComponent)}>`;
    return `- [${title}](${address})${excerpt === '' ? '' : `: ${escapeMarks(excerpt)}`}`;
  });
  return `${lines.join('\n')}\n`;
}

export const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';
const ENDING = '.md';

const dependsOnAccept = ({ headers }: WireResponse): boolean => /\bAccept\b(?!-)/.test(headers['Vary'] ?? '');

/** The response as Markdown. null: it shows no record that has a page. */
function convert(wire: WireResponse, languageField: string): string | null {
  if (
    wire.status !== 200 ||
    wire.body === null ||
    wire.headers['Content-Type']?.startsWith(JSON_TYPE) !== true
  )
    return null;
  const value: unknown = JSON.parse(Buffer.from(wire.body).toString());
  if (isPageRecord(value)) return recordToMarkdown(value, languageField);
  const isList = Array.isArray(value) && value.every(isPageRecord);
  // An empty list tells nothing of its records, but its header does.
  return isList && (value.length > 0 || dependsOnAccept(wire)) ? listToMarkdown(value) : null;
}

function toMarkdownWire(wire: WireResponse, text: string): WireResponse {
  const { ETag: _tag, 'Content-Length': _length, Vary: vary = '', ...others } = wire.headers;
  return {
    status: wire.status,
    headers: {
      ...others,
      'Content-Type': `${MARKDOWN}; charset=UTF-8`,
      Vary: dependsOnAccept(wire) ? vary : ['Accept', vary].filter(Boolean).join(', '),
    },
    body: Buffer.from(text),
  };
}

/** A page of another site is answered as WordPress does: its own responses are kept apart by its origin already. A cached response is changed once. */
const forOrigin = perObject((wire: WireResponse): WireResponse =>
  wire.status < 400 && dependsOnAccept(wire) ? { ...wire, headers: withoutAccept(wire.headers) } : wire,
);

/** What is asked of the engine in place of a request for Markdown. */
interface Instead {
  readonly request: RestRequest;
  /** The client takes JSON as well. */
  readonly takesJson: boolean;
}

/** null: the request is not one for Markdown. */
function readWish(request: RestRequest): Instead | null {
  if (!isRead(request.method)) return null;
  const { path } = request;
  const isAddress = path.endsWith(ENDING);
  const { accept } = request.headers;
  const isWanted =
    isAddress ||
    (accept?.includes(MARKDOWN) === true && chooseType(accept, [JSON_TYPE, MARKDOWN]) === MARKDOWN);
  if (!isWanted) return null;
  const { 'if-none-match': _tag, ...headers } = request.headers;
  return {
    request: changeRequest(request, {
      path: isAddress ? path.slice(0, -ENDING.length) : path,
      headers: { ...headers, accept: JSON_TYPE },
    }),
    takesJson: !isAddress && chooseType(accept, [JSON_TYPE]) !== null,
  };
}

/** The same engine, which shows records and lists of records with pages as Markdown too: for `Accept: text/markdown`, and at the address with `.md`. */
export function withMarkdown<H>(engine: Engine<H>): Engine<H> {
  const { serve, names } = engine;
  const languageField = renameParam(names, 'ml_language');
  const answer = (request: RestRequest<H>): MaybePromise<WireResponse> => {
    const wish = readWish(request);
    if (wish === null)
      return request.headers['origin'] === undefined || !isRead(request.method)
        ? serve(request)
        : thenMaybe(serve(request), forOrigin);
    // Parsed only for what follows, so the body of HEAD is needed too.
    const asked = changeRequest(wish.request, { method: 'GET' }) as RestRequest<H>;
    return thenMaybe(serve(asked), (wire) => {
      const text = convert(wire, languageField);
      if (text !== null) return toMarkdownWire(wire, request.method === 'HEAD' ? '' : text);
      if (request.path.endsWith(ENDING))
        return thenMaybe(serve(request), (plain) =>
          // An address without a route of its own: why there is no such record.
          plain.status === 404 && wire.status >= 400 ? serve(wish.request as RestRequest<H>) : plain,
        );
      return wire.status >= 400 || wish.takesJson
        ? serve(wish.request as RestRequest<H>)
        : engine.refuse(engineError('rest_not_acceptable'), request);
    });
  };
  return Object.assign(engine, { serve: answer });
}
