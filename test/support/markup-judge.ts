// Checks markup by the tree that a browser builds from it. It shares neither the parser nor the tables of the sanitiser.
import {
  parse,
  parseFragment,
  serialize,
  type DefaultTreeAdapterTypes,
  type ParserOptions,
  type DefaultTreeAdapterMap,
} from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const HTML = 'http://www.w3.org/1999/xhtml';
const ACTIVE: ReadonlySet<string> = new Set(
  (
    'script style iframe frame frameset object embed applet base link meta form input button select textarea option svg math template ' +
    'noscript noembed noframes xmp plaintext title isindex keygen portal layer bgsound dialog slot marquee param image foreignobject'
  ).split(' '),
);
const ACTIVE_ATTRIBUTE =
  /^on|^srcdoc$|^formaction$|^action$|^ping$|^xlink|^is$|^nonce$|^autofocus$|^contenteditable$|^http-equiv$|^content$|^data$|["'<>]/;
const ADDRESSES: ReadonlySet<string> = new Set([
  'href',
  'src',
  'cite',
  'poster',
  'longdesc',
  'background',
  'srcset',
]);
/** Schemes that run a program, start a call or refer to the web. A browser determines the scheme of a URL. */
const SCHEMES: ReadonlySet<string> = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp telnet mms rtsp sms svn tel fax xmpp webcal urn'
    .split(' ')
    .map((name) => `${name}:`),
);
const STYLE = /javascript|expression|behavior|binding|import|data:|position|\\|[<>]/i;

function isForeign(address: string, isPicture: boolean): boolean {
  if (!URL.canParse(address, 'https://reader.test/')) return false;
  if (isPicture && /^\s*data:image\/(?:png|gif|jpeg|webp|avif);base64,/i.test(address)) return false;
  return !SCHEMES.has(new URL(address, 'https://reader.test/').protocol);
}

function read(html: string, options: ParserOptions<DefaultTreeAdapterMap> = {}): Node {
  return parseFragment<DefaultTreeAdapterMap>(html, options);
}

function* walk(root: Node): Generator<Element> {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('childNodes' in node) waiting.push(...node.childNodes.toReversed());
    if ('content' in node) waiting.push(node.content);
    if ('tagName' in node) yield node;
  }
}

function listAttributeFaults({ tagName, attrs }: Element): readonly string[] {
  return attrs.flatMap(({ name, value }) => {
    const addresses = ADDRESSES.has(name) ? (name === 'srcset' ? value.split(',') : [value]) : [];
    const isFault =
      ACTIVE_ATTRIBUTE.test(name) ||
      addresses.some((each) => isForeign(each, tagName === 'img' && name === 'src')) ||
      (name === 'style' && STYLE.test(value));
    return isFault ? [`${name}=${value}`] : [];
  });
}

/** Scripts, event handlers, URLs of other sites and elements that fail the test. */
function listTreeFaults(root: Node, isFault: (element: Element) => boolean): readonly string[] {
  return [...walk(root)].flatMap((element) =>
    (isFault(element) ? [`<${element.tagName}>`] : []).concat(listAttributeFaults(element)),
  );
}

const isActive = ({ namespaceURI, tagName }: Element): boolean =>
  namespaceURI !== HTML || ACTIVE.has(tagName);

/** Elements whose content is parsed differently from that of a paragraph. */
const AROUND = [
  'table',
  'select',
  'textarea',
  'title',
  'style',
  'xmp',
  'noscript',
  'noembed',
  'template',
  'svg',
  'math',
  'svg><foreignobject',
  'math><mtext',
  'svg><desc',
  'svg><style',
] as const;

function listFaultsWithin(html: string, around: string): readonly string[] {
  const own: ReadonlySet<string> = new Set(around.split('><'));
  return listTreeFaults(
    read(`<${around}>${html}`),
    ({ tagName }) => ACTIVE.has(tagName) && !own.has(tagName.toLowerCase()),
  );
}

/** Dangerous parts of this markup as the content of a page. */
export function listFaults(html: string): readonly string[] {
  return listTreeFaults(read(html), isActive);
}

/**
 * Dangerous parts of this markup anywhere on a page: unchanged and serialised again by a browser, with scripts disabled, in elements that are
 * parsed differently, in a table cell, and at the end of a page.
 */
export function listFaultsAnywhere(html: string): readonly string[] {
  const tree = read(html);
  const again = read(serialize(tree as DefaultTreeAdapterTypes.DocumentFragment));
  const cell = parseFragment([...walk(read('<table><tr><td>'))].at(-1) ?? null, html, {});
  const page = (parse(`<!DOCTYPE html><body>${html}`).childNodes[1] as Element).childNodes[1] as Element;
  return [
    ...[tree, again, read(html, { scriptingEnabled: false }), cell, page].flatMap((each) =>
      listTreeFaults(each, isActive),
    ),
    ...AROUND.flatMap((around) => listFaultsWithin(html, around).map((fault) => `in ${around}: ${fault}`)),
  ];
}

/** Names of the elements in the markup, each with its attributes, as a browser parses it. */
export function listElements(
  html: string,
): readonly (readonly [name: string, attributes: readonly string[]])[] {
  return [...walk(read(html))].map(({ tagName, attrs }) => [tagName, attrs.map(({ name }) => name)] as const);
}

/** Whether the markup leaves the tree after it unchanged. */
export function isContained(html: string): boolean {
  const [main] = parseFragment(`<main><section><div>${html}</div></section><u id="after"></u></main>`)
    .childNodes as Element[];
  const children = (main?.childNodes ?? []) as Element[];
  return (
    children.length === 2 && children[1]?.attrs[0]?.value === 'after' && children[0]?.childNodes.length === 1
  );
}

/** As `listFaultsAnywhere`, but sandboxed frames of other sites are allowed. */
export function listFaultsOfEmbed(html: string): readonly string[] {
  const frames = listElements(html).filter(
    ([name, attributes]) =>
      name === 'iframe' && (!attributes.includes('sandbox') || attributes.includes('srcdoc')),
  );
  return [
    ...frames.map(() => 'a frame without a sandbox'),
    ...listFaultsAnywhere(html).filter((fault) => !fault.endsWith('<iframe>')),
  ];
}

/** Elements of a head with their allowed attributes. */
const HEAD_ELEMENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    html: '',
    head: '',
    body: '',
    title: '',
    meta: 'name property content',
    link: 'rel href hreflang',
    script: 'type class',
  }).map(([name, attributes]) => [name, new Set(attributes.split(' '))]),
);

function isFaultOfHead({ tagName, attrs }: Element): boolean {
  const allowed = HEAD_ELEMENTS.get(tagName);
  if (allowed === undefined || attrs.some(({ name }) => !allowed.has(name))) return true;
  const valueOf = (wanted: string): string => attrs.find(({ name }) => name === wanted)?.value ?? '';
  return (
    (tagName === 'script' && valueOf('type') !== 'application/ld+json') || isForeign(valueOf('href'), false)
  );
}

/** Dangerous parts of this markup as the head of a page, including anything that ends the head early. */
export function listFaultsOfHead(html: string): readonly string[] {
  const page = parse(`<!DOCTYPE html><html><head>${html}</head><body></body></html>`);
  const elements = [...walk(page)];
  const body = elements.find(({ tagName }) => tagName === 'body');
  return [
    ...elements.filter(isFaultOfHead).map(({ tagName }) => `<${tagName}>`),
    ...(body?.childNodes ?? []).map(({ nodeName }) => `in the body: ${nodeName}`),
  ];
}
