import { isPlaceholder, KEY_FORMS } from '../lists/leaked-keys.ts';
import type { Excerpt } from '../text/excerpt.ts';
import type { PostRule } from './rule.ts';

/** As much of a key as is needed to find it again. */
const SHOWN = 8;

function listKeys(text: string): readonly Excerpt[] {
  return KEY_FORMS.flatMap(({ about, pattern }) =>
    (text.match(pattern) ?? [])
      .filter((key) => !isPlaceholder(key))
      .map((key) => ({ shown: `${about}: ${key.slice(0, SHOWN)}…`, full: key })),
  );
}

/** The rule about secrets in texts, also in code. Its issues never contain the whole key. */
export const keyRules: readonly PostRule[] = [
  {
    id: 'leaked-key',
    type: 'publiclyAccessible',
    severity: 75,
    message: 'The text contains a key that must stay secret.',
    check: ({ words, code, elements }) =>
      [words, code, ...elements.filter(({ name }) => name === 'script').map(({ text }) => text)].flatMap(
        listKeys,
      ),
  },
];
