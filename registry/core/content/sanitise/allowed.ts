import { wordSet } from '../../../../lib/core/text.ts';
/** What an author without `unfiltered_html` may write: tables for the sanitiser. Everything that is not listed is removed. */
export interface AllowList {
  /** Element -> its own attributes, in addition to the global ones. */
  readonly elements: ReadonlyMap<string, ReadonlySet<string>>;
  /** Attributes of every element. */
  readonly globals: ReadonlySet<string>;
  /** Prefixes of further attributes of every element. */
  readonly prefixes: readonly string[];
  /** Whether comments (blocks, `more`) are kept. */
  readonly comments: boolean;
}

function toElements(table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    Object.entries(table).flatMap(([names, attributes]) => {
      const set: ReadonlySet<string> = new Set(attributes.split(' ').filter(Boolean));
      return names.split(' ').map((name) => [name, set] as const);
    }),
  );
}

const CELL = 'abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width';

/**
 * Content and excerpt. Although WordPress allows them, form controls, object and title are not allowed: browsers parse the text of
 * title differently from that of all other elements, which most mutation attacks use.
 */
export const POST_MARKUP: AllowList = {
  elements: toElements({
    'address abbr acronym article aside b bdi bdo big center cite code dd dfn dl dt em figure figcaption footer header hgroup':
      '',
    'i kbd main mark menu nav p pre rb rp rt rtc ruby s samp search section small span strike strong sub summary sup tt u var wbr':
      '',
    'div h1 h2 h3 h4 h5 h6': 'align',
    a: 'href rel rev name target download hreflang type',
    area: 'alt coords href nohref shape target',
    map: 'name',
    audio: 'autoplay controls loop muted preload src',
    video: 'autoplay controls height loop muted playsinline poster preload src width',
    track: 'default kind label src srclang',
    picture: '',
    source: 'height media sizes src srcset type width',
    img: 'alt align border decoding fetchpriority height hspace loading longdesc sizes src srcset usemap vspace width',
    'blockquote q': 'cite',
    br: 'clear',
    'del ins': 'cite datetime',
    details: 'align name open',
    font: 'color face size',
    hr: 'align noshade size width',
    li: 'align value',
    ol: 'reversed start type',
    ul: 'type',
    time: 'datetime',
    table: 'align bgcolor border cellpadding cellspacing rules summary width',
    caption: 'align',
    'thead tbody tfoot tr': 'align bgcolor char charoff valign',
    'td th': CELL,
    'col colgroup': 'align char charoff span valign width',
  }),
  globals: wordSet('class dir hidden id lang role style title translate xml:lang'),
  prefixes: ['aria-', 'data-'],
  comments: true,
};

/** Titles: inline elements only, with attributes only where they carry the meaning. */
export const TITLE_MARKUP: AllowList = {
  elements: toElements({
    'abbr acronym': 'title',
    bdi: 'dir',
    bdo: 'dir',
    span: 'lang dir',
    'b br cite code em i kbd mark s small strike strong sub sup u wbr': '',
    'del ins': 'datetime',
    q: 'cite',
  }),
  globals: new Set(),
  prefixes: [],
  comments: false,
};

/** Comments of visitors and descriptions of terms: what WordPress lets everybody write. */
export const COMMENT_MARKUP: AllowList = {
  elements: toElements({
    a: 'href title',
    'abbr acronym': 'title',
    'b cite code em i s strike strong': '',
    'blockquote q': 'cite',
    del: 'datetime',
  }),
  globals: new Set(),
  prefixes: [],
  comments: false,
};

/** Attributes that contain an address, and those that contain several with a size (`srcset`). */
export const URL_ATTRIBUTES = wordSet('cite href longdesc poster src');
export const URL_SETS = wordSet('srcset');

export const URL_SCHEMES = wordSet(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp telnet mms rtsp sms svn tel fax ' +
    'xmpp webcal urn',
);

/** Data addresses of pictures. SVG is not allowed, because it can contain scripts. */
export const IMAGE_DATA = /^data:image\/(?:avif|gif|jpeg|png|webp);base64,[a-z0-9+/=\s]*$/i;

/** CSS properties. A name that ends in `*` matches all names with that prefix. */
export const STYLE_PROPERTIES: readonly string[] = (
  'align-content align-items align-self aspect-ratio background background-* border border-* ' +
  'box-shadow caption-side clear color column-* columns direction display filter flex flex-* float ' +
  'font font-* gap grid-* height inset-* justify-content justify-items justify-self letter-spacing ' +
  'line-height list-style list-style-* margin margin-* max-height max-width min-height min-width ' +
  'object-fit object-position opacity outline outline-* overflow overflow-x overflow-y padding ' +
  'padding-* row-gap text-* vertical-align white-space width word-break word-spacing word-wrap ' +
  'writing-mode --cms--* --wp--*'
).split(' ');

/** CSS functions that a value may call. `url` is checked separately. */
export const STYLE_FUNCTIONS = wordSet(
  'calc clamp conic-gradient hsl hsla linear-gradient max min minmax radial-gradient repeat ' +
    'repeating-linear-gradient repeating-radial-gradient rgb rgba var blur brightness contrast ' +
    'drop-shadow grayscale hue-rotate invert opacity saturate sepia translate fit-content',
);

/** Lists of words by name. */
const toWordSets = (table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(table).map(([name, words]) => [name, wordSet(words)]));

const AFTER_ROWS = 'caption col colgroup tbody tfoot thead';
const AFTER_CELL = `td th tr ${AFTER_ROWS}`;

/** Elements with an optional end tag -> the start tags of siblings that end them. */
export const IMPLIED_ENDS = toWordSets({
  p: 'address article aside blockquote center details div dl figure footer h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section table ul',
  li: 'li',
  dt: 'dt dd',
  dd: 'dt dd',
  rt: 'rt rp',
  rp: 'rt rp',
  td: AFTER_CELL,
  th: AFTER_CELL,
  caption: AFTER_CELL,
  tr: `tr ${AFTER_ROWS}`,
  thead: AFTER_ROWS,
  tbody: AFTER_ROWS,
  tfoot: AFTER_ROWS,
  table: 'table',
  colgroup: 'caption colgroup tbody td tfoot th thead tr',
});

/** Elements with an optional end tag -> the parents whose end ends them. */
export const OMITTED_ENDS = toWordSets({
  p: 'address article aside blockquote caption center dd details div dt figcaption figure footer header li main nav section td th',
  li: 'menu ol ul',
  dt: 'dl',
  dd: 'dl',
  rt: 'ruby',
  rp: 'ruby',
  td: 'tr',
  th: 'tr',
  tr: 'table tbody tfoot thead',
  thead: 'table',
  tbody: 'table',
  tfoot: 'table',
  caption: 'table',
  colgroup: 'table',
});

/** The content of these elements ends with them. The elements around them end only with their table (HTML 13.2.4.2, 13.2.4.3). */
export const CELLS = wordSet('caption td th');
export const TABLE_PARTS = wordSet('caption td th col colgroup tbody tfoot thead tr');

/** Elements that stay open when an element around them ends, and that end without the elements inside them (HTML 13.2.4.3). */
export const FORMATTING = wordSet('a b big code em font i s small strike strong tt u');
