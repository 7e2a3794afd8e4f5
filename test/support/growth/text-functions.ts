import { redact, toAccessLine } from '../../../adapters/cli/serve/access-log.ts';
import { isText } from '../../../adapters/cli/verify/run-scenarios.ts';
import { readPartHead } from '../../../adapters/http/part-head.ts';
import { readHeaders } from '../../../adapters/http/request-head.ts';
import { readParts } from '../../../adapters/http/split-multipart.ts';
import { isPublicAddress } from '../../../adapters/outbound/address-policy.ts';
import { toTitle } from '../../../adapters/pages/page-answer.ts';
import { readPageNumber, toFirstPage, toPager } from '../../../adapters/pages/shown-posts.ts';
import { runSteps, type Steps } from '../../../lib/core/cooperative.ts';
import { suggest } from '../../../lib/core/did-you-mean.ts';
import {
  escapeAttribute,
  escapeOnce,
  escapeQuotesOnce,
  escapeText,
  escapeXml,
  toCdata,
  toXmlText,
} from '../../../lib/core/escape.ts';
import { isLanguageCode } from '../../../lib/core/language-code.ts';
import { isHeaderName, normalize, trimEnd } from '../../../lib/core/text.ts';
import { wantsEmbed } from '../../../lib/dispatch/embed.ts';
import { isSiteUrl, parseAddress } from '../../../lib/http/address.ts';
import { parseBody, readBodyType } from '../../../lib/http/body.ts';
import { toCallerNetwork } from '../../../lib/http/caller-network.ts';
import { isCrossSite } from '../../../lib/http/cross-site.ts';
import { acceptsGzip } from '../../../lib/http/encoded.ts';
import { isUnchanged } from '../../../lib/http/etag.ts';
import { parseMediaType } from '../../../lib/http/media-type.ts';
import { parseQuery } from '../../../lib/http/query-string.ts';
import { wantsProblem } from '../../../lib/http/respond.ts';
import { wantedFields } from '../../../lib/http/select-fields.ts';
import { parseJsonList, parseJsonText } from '../../../lib/json/parse-json.ts';
import { parsePattern } from '../../../lib/route/pattern.ts';
import {
  coerce,
  toItems,
  wordsOf,
  toBoolean,
  toInteger,
  toNumber,
  toText,
} from '../../../lib/schema/coerce.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import { fold, toSortText, toStoredText } from '../../../lib/store/stored-text.ts';
import { isGenerated, verifyPassword } from '../../../registry/core/accounts/credentials.ts';
import { encodeSlug, readAddress } from '../../../registry/core/addresses/page-paths.ts';
import { toPathPart } from '../../../registry/core/addresses/permalink.ts';
import { countLinks, toAgent } from '../../../registry/core/comments/write-comment.ts';
import {
  hasBlocks,
  parseBlockComment,
  readBlocks,
  toBlockAttributes,
  toBlockVersion,
  toShownBlocks,
  toStoredBlocks,
} from '../../../registry/core/content/html/blocks.ts';
import { parseFragment as parseHtml, toMarkup } from '../../../registry/core/content/html/html-tree.ts';
import { readHtml } from '../../../registry/core/content/html/html.ts';
import { listWholes, readOwnMarkup } from '../../../registry/core/content/html/own-markup.ts';
import { addParagraphs } from '../../../registry/core/content/html/paragraphs.ts';
import {
  isPlainComment,
  isPlainPart,
  readPlainStart,
  rewriteAttributes,
} from '../../../registry/core/content/html/plain-markup.ts';
import { countWords, listTextPlaces, toPlainText } from '../../../registry/core/content/html/plain-text.ts';
import { rewriteLinks } from '../../../registry/core/content/html/rewrite-links.ts';
import { cutWords, toExcerpt } from '../../../registry/core/content/render/excerpt.ts';
import { renderContent, renderTitle } from '../../../registry/core/content/render/render.ts';
import { parseFootnotes, sanitiseFootnotes } from '../../../registry/core/content/sanitise/footnotes.ts';
import { isSafeUrl, sanitiseStyle } from '../../../registry/core/content/sanitise/sanitise-attribute.ts';
import {
  sanitiseComment,
  sanitiseContent,
  sanitiseTitle,
  sanitiseTranslation,
  toPlain,
} from '../../../registry/core/content/sanitise/sanitise.ts';
import { toWebAddress } from '../../../registry/core/content/sanitise/text-fields.ts';
import { parseSearch } from '../../../registry/core/content/search-query.ts';
import { absolutiseLinks, cleanOutput } from '../../../registry/core/content/shortcodes/render.ts';
import {
  listShortcodes,
  parseShortcodes,
  placeShortcodes,
} from '../../../registry/core/content/shortcodes/shortcode-parser.ts';
import { parseDate, toZone } from '../../../registry/core/content/site-time.ts';
import { cutSlug, toSlug, toSuffixed } from '../../../registry/core/content/slug.ts';
import { parseXml } from '../../../registry/core/content/xml.ts';
import {
  cleanName,
  findNameFault,
  hasOpenExtension,
  isPath,
  isPlainPath,
  numbered,
  readDisposition,
} from '../../../registry/core/files/library-file.ts';
import { extensionOf, mediaTypeOf } from '../../../registry/core/files/media-types.ts';
import { createContentModel } from '../../../registry/core/model/content-model.ts';
import { toStats } from '../../../registry/plugins/builder/index.ts';
import { readCursor } from '../../../registry/plugins/builder/photofeed.ts';
import { cleanText } from '../../../registry/plugins/ml/delivery/clean-texts.ts';
import { readOwnLink } from '../../../registry/plugins/ml/delivery/translate-links.ts';
import { toLine } from '../../../registry/plugins/ml/glossary/glossary-routes.ts';
import { createTermFinder, listMissingTerms } from '../../../registry/plugins/ml/glossary/glossary.ts';
import { readCsv } from '../../../registry/plugins/ml/glossary/import-csv.ts';
import { toMachineText } from '../../../registry/plugins/ml/machine/machine-text.ts';
import { readMo, writeMo } from '../../../registry/plugins/ml/mo/mo.ts';
import { readPluralForms } from '../../../registry/plugins/ml/mo/plural-forms.ts';
import { mapTexts } from '../../../registry/plugins/ml/records/job-texts.ts';
import { readXmlConfig } from '../../../registry/plugins/ml/records/xml-config.ts';
import { measureText } from '../../../registry/plugins/ml/segments/count-words.ts';
import { warnOfTerms } from '../../../registry/plugins/ml/segments/delivery-warnings.ts';
import { listLosses } from '../../../registry/plugins/ml/segments/losses.ts';
import { findCuts, splitText } from '../../../registry/plugins/ml/segments/split-text.ts';
import { createWordReader, toTokens } from '../../../registry/plugins/ml/segments/text-tokens.ts';
import { readXliff } from '../../../registry/plugins/ml/xliff/xliff-read.ts';
import { castInteger } from '../../../registry/plugins/oembed/embed.ts';
import { filterEmbedHtml, readForeignAnswer } from '../../../registry/plugins/oembed/foreign-answer.ts';
import { discoverLink } from '../../../registry/plugins/oembed/proxy.ts';
import { readNonce } from '../../../registry/plugins/secscan/connection/connect.ts';
import { isPublicKey } from '../../../registry/plugins/secscan/connection/connection.ts';
import { readToken } from '../../../registry/plugins/secscan/connection/tokens.ts';
import { createScope } from '../../../registry/plugins/secscan/rules/rule.ts';
import { postRules } from '../../../registry/plugins/secscan/rules/rules.ts';
import { findDisguised } from '../../../registry/plugins/secscan/rules/spam.ts';
import { DEFAULT_SETTINGS } from '../../../registry/plugins/secscan/settings/settings.ts';
import {
  isLookAlike,
  isPrivateHost,
  normaliseAddress,
  schemeOf,
  toUrl,
} from '../../../registry/plugins/secscan/text/address.ts';
import {
  borrowsBrand,
  imitatesBrand,
  toLookAlike,
  toShownHost,
} from '../../../registry/plugins/secscan/text/look-alike.ts';
import { readPost } from '../../../registry/plugins/secscan/text/read-post.ts';
import {
  holdsScript,
  isHiding,
  isShrinking,
  listScriptShortcodes,
  readDeclarations,
} from '../../../registry/plugins/secscan/text/style.ts';
import { toJsonText } from '../../../registry/plugins/seo/head/graph.ts';
import { fillTemplate, toSummary } from '../../../registry/plugins/seo/head/texts.ts';
import { parseObjectLine, parseSettingLine } from '../../../registry/plugins/seo/import/parse-lines.ts';
import { toLinkPath } from '../../../registry/plugins/seo/indexing/indexable.ts';
import { toHandle } from '../../../registry/plugins/seo/settings/representation.ts';
import { readContent, toPlainText as toSeoText } from '../../../registry/plugins/seo/values/content-facts.ts';
import { isWebAddress } from '../../../registry/plugins/seo/values/scalars.ts';
import { holdsPhrase, scoreKeyphrase, scoreReadability } from '../../../registry/plugins/seo/values/score.ts';
import { findFormat } from '../../../registry/transfer/index.ts';
import { isNdjson, readNdjson } from '../../../registry/transfer/items/ndjson.ts';
import { replaceMediaIds } from '../../../registry/transfer/plan/references.ts';
import { decodeXml } from '../../../registry/transfer/wxr/decode.ts';
import { isSerialised, readPhpValue } from '../../../registry/transfer/wxr/php-value.ts';
import { readWxr, splitSections } from '../../../registry/transfer/wxr/read-wxr.ts';
import { readMetaText } from '../../../registry/transfer/wxr/wxr-meta.ts';
import type { TextFunction } from './measure-growth.ts';

const SITE = 'https://site.test';
const KEY = new Uint8Array(32);
const isShortcode = (name: string): boolean => name === 'gallery';
const finder = createTermFinder([
  { term: 'a a', translation: 'b', caseSensitive: false, note: '' },
  { term: 'a', translation: null, caseSensitive: true, note: '' },
]);
const validateUnique = new Validators().compile({
  type: 'array',
  items: { type: 'string' },
  uniqueItems: true,
  maxItems: 1_000_000,
});
const scope = createScope(SITE, DEFAULT_SETTINGS);
const words = createWordReader('en');

/** Of a function that works in steps. */
const steps =
  (work: (text: string) => Steps<unknown>): TextFunction =>
  (text) =>
    runSteps(work(text));

/** Of a function that yields what it finds. */
const all =
  (read: (text: string) => Iterable<unknown>): TextFunction =>
  (text) =>
    Array.from(read(text)).length;

async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Of a function that reads a stream. */
const stream =
  (read: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<unknown>): TextFunction =>
  async (text) => {
    for await (const _each of read(toChunks(text))) continue;
  };

async function scan(text: string): Promise<void> {
  const post = await readPost(
    { id: 1, version: 1, content: text, title: text, slug: text, password: text },
    'post',
    { own: scope.own, pause: async () => undefined },
  );
  for (const rule of postRules) rule.check(post, scope);
}

const templateFacts = {
  heading: 'A',
  description: '',
  opening: 'a',
  meta: {},
  site: { name: 'S', description: '' },
  article: null,
  person: null,
} as unknown as Parameters<typeof fillTemplate>[1];
const scoreFacts = (text: string) => ({
  phrase: 'a b',
  title: text,
  description: text,
  slug: text,
  content: readContent(text),
  internalLinks: 0,
  externalLinks: 0,
});
const readContext = {
  content: createContentModel(),
  languages: ['en'],
  language: 'en',
  zone: toZone('UTC'),
  role: 'subscriber',
} as unknown as Parameters<typeof readWxr>[1];

/** Each function that takes a text of a caller, a file or another server. A text stands where it does most harm. */
export const TEXT_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  // Requests.
  parseAddress: (text) => parseAddress({ prefixes: ['en'], base: '' }, `/${text}`),
  parseQuery: (text) => parseQuery(text),
  'parseQuery of a value': (text) => parseQuery(`a[b][]=${text}`),
  'parseBody of JSON': (text) => parseBody(Buffer.from(text), 'application/json'),
  'parseBody of a text in JSON': (text) =>
    parseBody(Buffer.from(JSON.stringify({ a: text })), 'application/json'),
  'parseBody of a form': (text) => parseBody(Buffer.from(text), 'application/x-www-form-urlencoded'),
  parseJsonText,
  parseMediaType,
  readBodyType,
  isHeaderName,
  isSiteUrl,
  isLanguageCode,
  wantsProblem,
  acceptsGzip,
  toNumber,
  toInteger,
  toText,
  toBoolean,
  wantedFields,
  wantsEmbed,
  'parseMediaType of a parameter': (text) => parseMediaType(`text/html; a="${text}`),
  parseJsonList: (text) => parseJsonList(text, 100),
  isUnchanged: (text) => isUnchanged(text, '"a"'),
  isCrossSite: (text) =>
    isCrossSite(
      {
        method: 'POST',
        query: text,
        siteUrl: SITE,
        headers: { origin: text, referer: text, cookie: text, 'sec-fetch-site': text },
      },
      new Set(),
    ),
  readHeaders: (text) =>
    readHeaders(['cookie', text, 'a', text], { maxHeaderBytes: 1e9 } as unknown as Parameters<
      typeof readHeaders
    >[1]),
  readParts: stream((chunks) => readParts(chunks, 'multipart/form-data; boundary=a')),
  'readParts of a part': (text) =>
    stream((chunks) => readParts(chunks, 'multipart/form-data; boundary=a'))(
      `--a\r\nContent-Disposition: form-data; name="b"\r\n\r\n${text}`,
    ),
  'readParts of a boundary': (text) =>
    stream((chunks) => readParts(chunks, `multipart/form-data; boundary=${text}`))('--a'),
  readPartHead: (text) => readPartHead({ 'content-disposition': [`form-data; name="${text}`] }),
  'redact of an address': (text) => redact(`/?${text}`),
  toAccessLine: (text) =>
    toAccessLine('combined', {
      time: new Date(0),
      address: text,
      method: text,
      target: text,
      version: '1.1',
      status: 200,
      bytes: 0,
      milliseconds: 0,
      referer: text,
      agent: text,
    }),
  readPageNumber: (text) => readPageNumber(`/en/${text}`),
  toFirstPage: (text) => toFirstPage(`/en/${text}`),
  toPager: (text) => toPager(`/en/${text}`, { page: 2, pages: 9, language: 'en', query: text }),
  isPublicAddress,
  toCallerNetwork,
  isGenerated,
  verifyPassword: (text) => verifyPassword(text, text),
  suggest: (text) => suggest(text, ['title', 'content']),
  // Parameters.
  'coerce of a list': (text) => coerce({ type: 'array', items: { type: 'integer' } }, text),
  'coerce of a list of texts': (text) => coerce({ type: 'array', items: { type: 'string' } }, text),
  'coerce of an object': (text) => coerce({ type: 'object' }, text),
  toItems: (text) => toItems(text, 100),
  wordsOf: (text) => wordsOf(text, 1e6),
  parsePattern: (text) => parsePattern(`/${text.slice(0, 2000)}`),
  parseDate: (text) => parseDate(text, readContext.zone),
  toZone,
  fold,
  toStoredText,
  toSortText,
  parseSearch,
  'normalize NFC': (text) => normalize(text, 'NFC'),
  'normalize NFD': (text) => normalize(text, 'NFD'),
  trimEnd: (text) => trimEnd(text, '/'),
  'validate of a list without duplicates': (text) => validateUnique('a', text.split(',')),
  // Texts of posts.
  sanitiseContent,
  sanitiseTitle,
  sanitiseComment,
  sanitiseStyle,
  sanitiseFootnotes,
  parseFootnotes,
  isSafeUrl,
  escapeText,
  escapeAttribute,
  escapeOnce,
  escapeQuotesOnce,
  toTitle,
  escapeXml,
  renderContent,
  renderTitle,
  'sanitiseContent of an attribute': (text) => sanitiseContent(`<a href="${text}" style="${text}">`),
  'sanitiseStyle of a value': (text) => sanitiseStyle(`width:${text}`),
  sanitiseTranslation: steps((text) => sanitiseTranslation(text, text)),
  toExcerpt,
  addParagraphs,
  toPlainText,
  countWords,
  hasBlocks,
  toBlockVersion,
  readBlocks,
  toBlockAttributes,
  parseBlockComment,
  isPlainComment,
  isPlainPart,
  readPlainStart,
  toWebAddress,
  listTextPlaces,
  'readPlainStart of an attribute': (text) => readPlainStart(`<a ${text}>`),
  cutWords: (text) => cutWords(text, 55, '…'),
  readHtml: (text) =>
    readHtml(text, {
      start: () => undefined,
      end: () => undefined,
      text: () => undefined,
      comment: () => undefined,
    }),
  'readHtml by position': (text) =>
    readHtml(
      text,
      { start: () => undefined, end: () => undefined, text: () => undefined },
      { raw: 'place', positions: true },
    ),
  'parseFragment of HTML': (text) => toMarkup(parseHtml(text)),
  listWholes: steps(listWholes),
  readOwnMarkup: steps(readOwnMarkup),
  toPlain: steps(toPlain),
  rewriteAttributes: (text) => rewriteAttributes(text, ({ name }) => name),
  rewriteLinks: steps((text) => rewriteLinks(text, () => null)),
  'rewriteLinks of new ones': steps((text) => rewriteLinks(`<a href="/b">${text}`, () => '/c')),
  toStoredBlocks: (text) =>
    toStoredBlocks(text, { wire: 'wp', neutral: 'cms' } as Parameters<typeof toStoredBlocks>[1]),
  toShownBlocks: (text) =>
    toShownBlocks(text, { wire: 'wp', neutral: 'cms' } as Parameters<typeof toShownBlocks>[1]),
  toSlug,
  toPathPart,
  cutSlug,
  encodeSlug,
  toSuffixed: (text) => toSuffixed(text, 2),
  countLinks,
  toAgent,
  cleanName,
  isPath,
  hasOpenExtension,
  readDisposition,
  findNameFault,
  isPlainPath,
  extensionOf,
  mediaTypeOf,
  'readDisposition of a name': (text) => readDisposition(`attachment; filename="${text}`),
  numbered: (text) => numbered(text, 2),
  // Builder.
  absolutiseLinks: (text) => absolutiseLinks(text, SITE),
  'absolutiseLinks of sources': (text) => absolutiseLinks(`<img srcset="${text}`, SITE),
  cleanOutput: (text) => cleanOutput(text, text),
  readCursor: (text) => readCursor(text, KEY),
  listShortcodes: steps((text) => listShortcodes(text, isShortcode)),
  placeShortcodes: (text) => placeShortcodes(text, isShortcode),
  parseShortcodes: (text) => parseShortcodes(text, isShortcode),
  toStats,
  // Translation.
  cleanText: steps((text) => cleanText('content', text, text)),
  'cleanText of another text': steps((text) => cleanText('content', text, '<p>a</p>')),
  warnOfTerms: steps((text) =>
    warnOfTerms(
      { id: 'content', source: text } as unknown as Parameters<typeof warnOfTerms>[0],
      text,
      finder,
    ),
  ),
  mapTexts: steps((text) => mapTexts(text, toPlain)),
  listLosses: steps((text) => listLosses(text, `a${text}`, isShortcode)),
  readOwnLink: (text) => readOwnLink(text, { page: `${SITE}/en/a/`, pagesUrl: SITE, languages: ['en'] }),
  readCsv: all(readCsv),
  toLine,
  findCuts: steps(findCuts),
  splitText: steps(splitText),
  'readCsv of a cell': all((text) => readCsv(`a,b\n"${text}`)),
  'createTermFinder.places': steps((text) => finder.places(text)),
  listMissingTerms: steps((text) => listMissingTerms(finder, text, text)),
  toMachineText: steps((text) => toMachineText(text, { isShortcode, glossary: finder })),
  'toMachineText.write': (text) =>
    runSteps(toMachineText('<p>Ada <code>x</code> b</p>', { isShortcode, glossary: finder })).write([text]),
  readPluralForms,
  toXmlText,
  readXliff: (text) => readXliff(`<xliff version="1.2"><file><body><trans-unit id="a"><source>${text}`),
  readXmlConfig: (text) => readXmlConfig(`<wpml-config><custom-fields>${text}`),
  'readPluralForms of a rule': (text) => readPluralForms(`nplurals=2; plural=${text};`),
  readMo: (text) =>
    readMo(
      writeMo({
        headers: new Map(),
        messages: [{ context: text, id: text, plural: text, translations: [text, text] }],
      } as unknown as Parameters<typeof writeMo>[0]),
    ),
  toTokens: (text) => toTokens(text, words),
  measureText: steps((text) => measureText(text, words)),
  // Other servers.
  discoverLink: (text) => discoverLink(text, SITE),
  filterEmbedHtml,
  castInteger,
  'readForeignAnswer of JSON': (text) =>
    readForeignAnswer(
      JSON.stringify({ type: 'rich', version: '1.0', html: text, title: text, width: 1, height: 1 }),
      { page: SITE, isXml: false, isTrusted: false },
    ),
  'readForeignAnswer of XML': (text) =>
    readForeignAnswer(`<oembed><html>${text}`, { page: SITE, isXml: true, isTrusted: false }),
  // Secscan.
  'scan of a post': scan,
  normaliseAddress,
  schemeOf,
  isPrivateHost,
  borrowsBrand,
  imitatesBrand,
  isPublicKey,
  holdsScript,
  listScriptShortcodes,
  toLookAlike,
  toShownHost,
  findDisguised,
  isHiding,
  isShrinking,
  readDeclarations,
  toUrl: (text) => toUrl(text, scope.own),
  isLookAlike: (text) => isLookAlike(text, scope.own),
  readToken: (text) => readToken(text, KEY, 0),
  readNonce: (text) => readNonce(text, 1, KEY),
  // Search engines.
  readAddress: (text) => readAddress(`${SITE}/en/${text}`, SITE, ['en']),
  toLinkPath: (text) => toLinkPath(text, { siteUrl: SITE, languages: ['en'] }),
  readContent,
  toSeoText,
  toSummary,
  toJsonText,
  parseObjectLine,
  parseSettingLine,
  toHandle,
  isWebAddress,
  fillTemplate: (text) => fillTemplate(`%%title%%${text}`, templateFacts),
  holdsPhrase: (text) => holdsPhrase(text, text.slice(0, 100)),
  scoreKeyphrase: (text) => scoreKeyphrase(scoreFacts(text)),
  scoreReadability: (text) => scoreReadability(scoreFacts(text)),
  // Imports and comparisons.
  findFormat: (text) => findFormat(Buffer.from(text)),
  replaceMediaIds: (text) => replaceMediaIds(text, (id) => id + 1),
  isNdjson,
  isSerialised,
  readPhpValue,
  splitSections,
  readMetaText,
  toCdata,
  'readPhpValue of a list': (text) => readPhpValue(`a:1:{i:0;s:${text.length}:"${text}";}`),
  readNdjson: (text) => stream(readNdjson)(`{"routebook":"export","version":1}\n${text}`),
  decodeXml: stream(decodeXml),
  readWxr: stream((chunks) => readWxr(chunks, readContext)),
  'readWxr of an item': (text) =>
    stream((chunks) => readWxr(chunks, readContext))(
      `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version><item><title>${text}`,
    ),
  parseXml: (text) => parseXml(`<a>${text}`),
  'parseXml of plain text': (text) => parseXml(`<a>${escapeXml(text)}</a>`),
  'parseXml of an element': (text) => parseXml(`<a b="${text}`),
  isText: (text) => isText(text, text, {} as Parameters<typeof isText>[2]),
};
