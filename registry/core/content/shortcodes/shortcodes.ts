import { mapOf, objectOf, TEXTS, type DocumentRule } from '../../../../lib/core/check-document.ts';
import { FLAG, FUNCTION } from '../../../../lib/core/check-options.ts';
import { escapeAttribute, escapeQuotesOnce as quote } from '../../../../lib/core/escape.ts';
import type { MaybePromise } from '../../../../lib/core/maybe-promise.ts';
import type { Call } from '../../../../lib/route/call.ts';
import { and, eq, oneOf } from '../../../../lib/store/query.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { toMediaUrl } from '../../host/media-url.ts';
import type { SiteConfig } from '../../host/ports.ts';
import { readSettings, type SettingRules } from '../../host/read-settings.ts';

/** A post whose content is rendered. */
export interface RenderedRecord {
  /** Id of the record. */
  readonly id: number;
  /** Its content type, such as `post`. */
  readonly type: string;
  /** Language of the record. */
  readonly language: string;
  /** Slug of the record. */
  readonly slug: string;
  /** As it is stored. */
  readonly title: string;
}

/** The input for rendering a shortcode. `inner`: its rendered content. */
export interface ShortcodeSource {
  /** Attributes by name, with character references as in the text. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly inner: string;
  /** The store of the site. */
  readonly store: Store;
  /** Address of the site. */
  readonly siteUrl: string;
  /** The post. null: the content is that of none. */
  readonly record?: RenderedRecord | null;
  /** The call that shows it. */
  readonly call?: Call;
}

/**
 * How a shortcode is rendered. `block`: true if it stands between paragraphs and contains paragraphs; false if it is part of a sentence.
 * What `render` adds to `inner` is sanitised for every author, whatever else the post holds. A host adds its own shortcodes in `config.builder.shortcodes`.
 */
export interface Shortcode {
  readonly block: boolean;
  /**
   * The collections of the store on which the result depends: `[]` if it depends on its source alone. Absent: it may change at any time, and
   * no response that shows a post with it is cached.
   */
  readonly reads?: readonly string[];
  /** Returns the HTML. */
  readonly render: (source: ShortcodeSource) => MaybePromise<string>;
}

const MAX_PICTURES = 100;

/** Layout wrappers: name -> element around the content; '' for no element. */
const LAYOUT: Readonly<Record<string, string>> = {
  builder_container: 'section',
  builder_row: 'div',
  builder_row_inner: 'div',
  builder_column: 'div',
  builder_column_inner: 'div',
  builder_text: '',
  builder_separator: '',
};

function wrap(element: string): Shortcode['render'] {
  return ({ inner }) =>
    element === '' || inner.trim() === '' ? inner : `<${element}>${inner.trim()}</${element}>\n`;
}

const withoutParagraphs = (html: string): string => html.trim().replaceAll(/<\/?p>/g, '');

const anchor = (link: string, text: string): string =>
  link === '' || text === '' ? text : `<a href="${quote(link)}">${text}</a>`;

function renderButton({
  attributes: { link = '', title = '', target = '' },
  inner,
}: ShortcodeSource): string {
  const text = withoutParagraphs(inner) || quote(title);
  const more = `${title === '' ? '' : ` title="${quote(title)}"`}${target === '' ? '' : ` target="${quote(target)}"`}`;
  if (text === '') return '';
  return link === '' ? `<p>${text}</p>\n` : `<p><a href="${quote(link)}"${more}>${text}</a></p>\n`;
}

/** A box with its title, and with the link that it leads to. */
function renderBox({ attributes: { title = '', link = '', linktext = '' }, inner }: ShortcodeSource): string {
  const heading = title === '' ? '' : `<h2>${anchor(link, quote(title))}</h2>\n`;
  const more = linktext === '' || link === '' ? '' : `<p>${anchor(link, quote(linktext))}</p>\n`;
  const text = inner.trim();
  return heading + text + more === '' ? '' : `<div>${heading}${text}${more}</div>\n`;
}

const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}$/;

/** The builder stores code in base64. Any other content is shown as it is. */
function renderCode({ inner }: ShortcodeSource): string {
  const text = inner.replaceAll(/<\/?p>|<br \/>/g, '').trim();
  if (!BASE64.test(text) || text.replaceAll(/\s/g, '').length % 4 !== 0) return inner;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'));
  } catch {
    // Bytes that are not text were not encoded by the builder.
    return inner;
  }
}

function renderTitleCode({ attributes, inner }: ShortcodeSource): string {
  const level = /^[1-6]$/.test(attributes['size'] ?? '') ? attributes['size'] : '2';
  const text = withoutParagraphs(inner);
  return text === '' ? '' : `<h${level}>${text}</h${level}>\n`;
}

/** Those of the posts that are published: what is attached to other posts is not shown. */
async function listPublished(store: Store, posts: readonly number[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(posts)].filter((id) => id > 0);
  const { records } =
    ids.length === 0
      ? { records: [] }
      : await store.find({
          collection: 'posts',
          where: and(oneOf('id', ids), eq('status', 'publish')),
          fields: [],
        });
  return new Set([0, ...records.map(({ id }) => id)]);
}

async function renderGallery({ attributes, store, siteUrl }: ShortcodeSource): Promise<string> {
  const ids = (attributes['ids'] ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
    .slice(0, MAX_PICTURES);
  if (ids.length === 0) return '';
  const { records } = await store.find({
    collection: 'media',
    where: and(oneOf('id', ids), oneOf('status', ['', 'inherit'])),
    fields: ['file', 'alt', 'mime_type', 'width', 'height', 'parent'],
  });
  const published = await listPublished(
    store,
    records.map(({ parent }) => Number(parent)),
  );
  const media = new Map(
    records.filter(({ parent }) => published.has(Number(parent))).map((record) => [record.id, record]),
  );
  const pictures = ids.flatMap((id) => {
    const record = media.get(id);
    if (record === undefined || !String(record['mime_type']).startsWith('image/')) return [];
    const size =
      Number(record['width']) > 0
        ? ` width="${Number(record['width'])}" height="${Number(record['height'])}"`
        : '';
    return [
      `<figure><img src="${escapeAttribute(toMediaUrl(siteUrl, String(record['file'])))}" alt="${quote(String(record['alt']))}"${size} /></figure>`,
    ];
  });
  return pictures.length === 0 ? '' : `<figure class="gallery">${pictures.join('')}</figure>\n`;
}

const BUILT_IN: Readonly<Record<string, Shortcode>> = {
  ...Object.fromEntries(
    Object.entries(LAYOUT).map(([name, element]) => [
      name,
      { block: true, reads: [], render: wrap(element) },
    ]),
  ),
  builder_title: { block: true, reads: [], render: renderTitleCode },
  builder_button: { block: true, reads: [], render: renderButton },
  builder_content_box: { block: true, reads: [], render: renderBox },
  builder_tab: { block: true, reads: [], render: renderBox },
  builder_toggle: { block: true, reads: [], render: renderBox },
  builder_code: { block: true, reads: [], render: renderCode },
};

/** Those that every site has, as WordPress. */
const CORE: Readonly<Record<string, Shortcode>> = {
  caption: { block: true, reads: [], render: ({ inner }) => `<figure>${inner.trim()}</figure>\n` },
  gallery: { block: true, reads: ['media', 'posts'], render: renderGallery },
};

interface ShortcodeSettings {
  /** By name. They replace built-in shortcodes of the same name. */
  readonly shortcodes: Readonly<Record<string, Shortcode>>;
}

const NAME: DocumentRule = {
  wanted: 'in lower case, such as "badge"',
  fits: (value) => /^[a-z][a-z0-9_-]*$/.test(String(value)),
};

export const SHORTCODE_SETTINGS: SettingRules<ShortcodeSettings> = {
  shortcodes: mapOf(
    objectOf({ block: { ...FLAG, needed: true }, reads: TEXTS, render: { ...FUNCTION, needed: true } }),
    NAME,
  ),
};

/** The shortcodes of every site. Plugins add their own. */
export const createShortcodes = (): Map<string, Shortcode> => new Map(Object.entries(CORE));

/** The shortcodes of the page builder and those of the host, which take precedence. @throws TypeError naming the setting that is not valid */
export function listBuilderShortcodes(
  config: Pick<SiteConfig, 'namespaces'>,
): readonly (readonly [name: string, shortcode: Shortcode])[] {
  const { shortcodes } = readSettings<ShortcodeSettings>(config, 'builder', SHORTCODE_SETTINGS);
  return Object.entries({ ...BUILT_IN, ...shortcodes });
}
