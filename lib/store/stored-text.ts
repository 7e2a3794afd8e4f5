const ASCII = /^[\0-\x7F]*$/;

/**
 * The form in which texts are searched and ordered, the same in every store: without regard to case, to accents of
 * Latin, Greek and Cyrillic letters (`cafe` finds `Café`), or to compatible forms of a letter.
 */
export function fold(text: string): string {
  // In ASCII there is nothing to take apart, and seeing that costs a quarter of trying.
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replaceAll(/[\u0300-\u036F]/g, '').normalize('NFC').toLowerCase();
}

/**
 * The text in the form that every store can hold: U+FFFD in place of lone surrogates (UTF-8 has no bytes for them)
 * and of NUL (PostgreSQL refuses it).
 */
export function toStoredText(text: string): string {
  // Nearly all texts are stored as they are, and seeing that costs a quarter of replacing.
  if (text.isWellFormed() && !text.includes('\0')) return text;
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * A text whose UTF-16 units sort as the code points of `text` do: surrogates move above all other units.
 * JavaScript's `<` on the results agrees with SQLite's BINARY and PostgreSQL's "C" order on the texts.
 */
export function toSortText(text: string): string {
  if (!/[\uD800-\uFFFF]/.test(text)) return text;
  return text.replaceAll(/[\uD800-\uFFFF]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xE000 ? code + 0x2000 : code - 0x800);
  });
}
