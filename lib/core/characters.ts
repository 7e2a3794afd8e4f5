/** Whether a text has more characters (code points) than `most`. */
export function isLonger(text: string, most: number): boolean {
  // A text has at most as many code points as units, and most texts are short.
  return text.length > most && Array.from(text).length > most;
}
