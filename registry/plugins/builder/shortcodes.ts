import {
  type DocumentRule,
  FLAG,
  FUNCTION,
  type SettingRules,
  type Shortcode,
  type ShortcodeSource,
  type SiteConfig,
  TEXTS,
  escapeQuotesOnce as quote,
  mapOf,
  objectOf,
  readSettings,
} from '../../plugin.ts';

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

const RENDERERS: Readonly<Record<string, Shortcode['render']>> = {
  ...Object.fromEntries(Object.entries(LAYOUT).map(([name, element]) => [name, wrap(element)])),
  builder_title: renderTitleCode,
  builder_button: renderButton,
  builder_content_box: renderBox,
  builder_tab: renderBox,
  builder_toggle: renderBox,
  builder_code: renderCode,
};
const BUILT_IN: Readonly<Record<string, Shortcode>> = Object.fromEntries(
  Object.entries(RENDERERS).map(([name, render]) => [name, { block: true, reads: [], render }]),
);

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

/** The shortcodes of the page builder and those of the host, which take precedence. @throws TypeError naming the setting that is not valid */
export function listBuilderShortcodes(
  config: Pick<SiteConfig, 'namespaces'>,
): readonly (readonly [name: string, shortcode: Shortcode])[] {
  const { shortcodes } = readSettings<ShortcodeSettings>(config, 'builder', SHORTCODE_SETTINGS);
  return Object.entries({ ...BUILT_IN, ...shortcodes });
}
