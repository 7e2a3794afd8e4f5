/** The place of a canary word. */
export interface Word {
  readonly field: Field;
  readonly post: number;
}

/**
 * The kinds of places: `shown` with the post, `guarded` by its password, `kept` for its editors.
 * A word is `zqwj`, the letter of its field, the post's id and `x`. A hash does not contain it by chance.
 */
export const FIELDS = {
  t: 'shown',
  s: 'shown',
  c: 'guarded',
  e: 'guarded',
  m: 'guarded',
  p: 'kept',
  o: 'kept',
  // Of a revision: title, content, excerpt, meta. Of autosaves: title, content, excerpt.
  a: 'kept',
  b: 'kept',
  d: 'kept',
  f: 'kept',
  g: 'kept',
  h: 'kept',
  i: 'kept',
} as const;

export type Field = keyof typeof FIELDS;

export function toWord(field: Field, post: number): string {
  return `zqwj${field}${post}x`;
}

const isField = (letter: string): letter is Field => letter in FIELDS;

/** All canary words of a text without duplicates, in any letter case. */
export function findWords(text: string): readonly Word[] {
  const found = new Set([...text.matchAll(/zqwj[a-z]\d+x/gi)].map(([word]) => word.toLowerCase()));
  return [...found].flatMap((word) => {
    const letter = word.charAt(4);
    return isField(letter) ? [{ field: letter, post: Number(word.slice(5, -1)) }] : [];
  });
}
