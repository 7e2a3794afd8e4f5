import { isExternal, isHostOf, normaliseAddress, toUrl } from '../text/address.ts';
import { toExcerpt, type Excerpt } from '../text/excerpt.ts';
import type { PostText } from '../text/post-text.ts';
import { withoutDisguise } from '../text/style.ts';
import type { PostRule, Scope } from './rule.ts';

const UNSAFE = 'postScriptInjection';

/** Every style of a text, as a browser reads it: style elements, and style attributes. */
function listStyles({ elements }: PostText): readonly string[] {
  return elements
    .flatMap(({ name, text, attributes }) => [
      ...(name === 'style' ? [text] : []),
      ...(attributes.has('style') ? [attributes.get('style') ?? ''] : []),
    ])
    .map(withoutDisguise);
}

const IMPORT = /@import\s{0,9}(?:url\(\s{0,9})?["']?([^"');\s]{1,2048})/gi;
const SCRIPT =
  /(?:java|vb|live)script\s{0,9}:|\bexpression\s{0,9}\(|-moz-binding\s{0,9}:|\bbehaviou?r\s{0,9}:\s{0,9}url|url\(\s{0,9}["']?data:text\/html/i;

function listImports(style: string, { own, trusted }: Scope): readonly Excerpt[] {
  return [...style.matchAll(IMPORT)].flatMap(([, address = '']) => {
    const url = toUrl(normaliseAddress(address), own);
    return url !== null &&
      isExternal(url, own) &&
      !isHostOf(url.hostname, trusted) &&
      !isHostOf(url.hostname, STYLE_HOSTS)
      ? [toExcerpt(address)]
      : [];
  });
}

/** Hosts of fonts, whose styles many posts import. */
const STYLE_HOSTS: ReadonlySet<string> = new Set([
  'fonts.googleapis.com',
  'fonts.bunny.net',
  'use.typekit.net',
  'use.fontawesome.com',
  'cdnjs.cloudflare.com',
]);

/** Rules for styles that load or run something. */
export const styleRules: readonly PostRule[] = [
  {
    id: 'style-import',
    type: UNSAFE,
    severity: 75,
    message: 'A style loads rules from another site.',
    check: (post, scope) => listStyles(post).flatMap((style) => listImports(style, scope)),
  },
  {
    id: 'style-script',
    type: UNSAFE,
    severity: 100,
    message: 'A style runs a script.',
    check: (post) => listStyles(post).flatMap((style) => (SCRIPT.test(style) ? [toExcerpt(style)] : [])),
  },
];
