import { isExternal, normaliseAddress, type OwnSite, toUrl } from './address.ts';

/** An element that has attributes, or whose name alone matters. */
export interface ScannedElement {
  /** Lower case. */
  readonly name: string;
  /** Names in lower case, values decoded. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The content of a script or style; '' for all other elements. */
  text: string;
  /** Readers cannot see it, because of its own style or that of an element around it. */
  readonly hidden: boolean;
}

/** An address in the text. `link`: readers can follow it; `loaded`: the browser loads it automatically. */
export interface ScannedAddress {
  /** Normalised as by a browser (see `normaliseAddress`). */
  readonly text: string;
  readonly element: string;
  readonly link: boolean;
  readonly loaded: boolean;
  /** The absolute http or https address; null for any other. */
  readonly url: URL | null;
  readonly external: boolean;
}

/** A link in the text. `hidden`: readers cannot see it. `length`: number of characters of its text. */
export interface ScannedLink {
  readonly url: URL;
  readonly hidden: boolean;
  length: number;
}

/** A post or revision, parsed once for all rules. */
export interface PostText {
  readonly id: number;
  readonly kind: 'post' | 'revision';
  readonly slug: string;
  readonly password: string;
  /** Without markup. */
  title: string;
  readonly elements: ScannedElement[];
  readonly addresses: ScannedAddress[];
  /** Links to other sites. */
  readonly links: ScannedLink[];
  /** The text of the content and the excerpt without code, and the code (`code`, `pre` and similar elements). Both up to `MAX_TEXT` characters. */
  words: string;
  code: string;
  /** Texts of comments outside of code, with the attributes of blocks. At most `MAX_ELEMENTS`. */
  readonly comments: string[];
  /** Number of characters of visible text, without whitespace. */
  length: number;
  /** Whether there were more elements or addresses than the limit. */
  crowded: boolean;
}

/** Maximum number of elements and addresses per text, so that a rule takes only milliseconds. */
export const MAX_ELEMENTS = 20_000;
export const MAX_ADDRESSES = 2500;
/** Maximum number of characters of a text in which phrases and keys are searched. */
export const MAX_TEXT = 200_000;

const LINKS: ReadonlySet<string> = new Set(['a', 'area']);
const ADDRESSES: ReadonlySet<string> = new Set(
  (
    'href src action formaction poster data cite background xlink:href longdesc ping manifest ' +
    'codebase from to values'
  ).split(' '),
);
const LOADED: ReadonlySet<string> = new Set([
  'src',
  'poster',
  'data',
  'background',
  'srcset',
  'imagesrcset',
  'xlink:href',
  'manifest',
]);
const LOADING: ReadonlySet<string> = new Set(['link', 'image', 'use']);
const MAX_ADDRESS = 10_000;

function listTexts(name: string, value: string): readonly string[] {
  if (name === 'srcset' || name === 'imagesrcset')
    return value.split(',').map((each) => each.trim().split(/\s/)[0] ?? '');
  if (name === 'values') return value.split(';');
  return ADDRESSES.has(name) ? [value] : [];
}

/** Every address in the attributes of an element. */
export function listAddresses(
  { name, attributes }: Pick<ScannedElement, 'name' | 'attributes'>,
  own: OwnSite,
): readonly ScannedAddress[] {
  return [...attributes].flatMap(([attribute, value]) =>
    listTexts(attribute, value).map((each) => {
      const text = normaliseAddress(each.slice(0, MAX_ADDRESS));
      const url = text === '' ? null : toUrl(text, own);
      return {
        text,
        element: name,
        url,
        link: LINKS.has(name) && attribute === 'href',
        loaded: LOADED.has(attribute) || (attribute === 'href' && LOADING.has(name)),
        external: url !== null && isExternal(url, own),
      };
    }),
  );
}
