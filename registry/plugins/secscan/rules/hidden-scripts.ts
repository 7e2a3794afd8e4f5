import { toExcerpt } from '../text/excerpt.ts';
import { holdsScript, listScriptShortcodes } from '../text/hidden-script.ts';
import type { PostRule } from './rule.ts';

const UNSAFE = 'postScriptInjection';
/** A block begins with its name; see `registry/core/content/html/blocks.ts`. */
const BLOCK = /^\s*\/?[a-z][\w-]*:[\w/-]+/i;
/** PHP as a browser shows it, and as the HTML parser reads it: `<?php` begins a comment. */
const PHP = /<\?(?:php\b|=)|\beval\s{0,9}\(\s{0,9}(?:base64_decode|gzinflate|str_rot13)\s{0,9}\(/i;

/** Rules for scripts where no browser runs them yet: another program may. */
export const hiddenScriptRules: readonly PostRule[] = [
  {
    id: 'block-script',
    type: UNSAFE,
    severity: 100,
    message: 'The attributes of a block contain a script.',
    check: ({ comments }) => comments.filter((text) => BLOCK.test(text) && holdsScript(text)).map(toExcerpt),
  },
  {
    id: 'comment-script',
    type: UNSAFE,
    severity: 50,
    message: 'A comment contains a script.',
    check: ({ comments }) => comments.filter((text) => !BLOCK.test(text) && holdsScript(text)).map(toExcerpt),
  },
  {
    id: 'shortcode-script',
    type: UNSAFE,
    severity: 100,
    message: 'The attributes of a shortcode contain a script.',
    check: ({ words }) => listScriptShortcodes(words).map(toExcerpt),
  },
  {
    id: 'server-code',
    type: UNSAFE,
    severity: 75,
    message: 'The text contains program code of a server.',
    check: ({ words, comments }) =>
      [words, ...comments.filter((text) => text.startsWith('?')).map((text) => `<${text}`)].flatMap(
        (text) => {
          const [found] = PHP.exec(text) ?? [];
          return found === undefined ? [] : [toExcerpt(text.slice(text.indexOf(found)))];
        },
      ),
  },
];
