/** The text without the given characters at its end. An expression such as `/-+$/` takes quadratic time for a long run of them within the text. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Whether a text has more characters (code points) than `most`. */
export function isLonger(text: string, most: number): boolean {
  // A text has at most as many code points as units, and most texts are short.
  return text.length > most && Array.from(text).length > most;
}
