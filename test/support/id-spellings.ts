/** Spellings of an id, in a path or a query, other than its digits. None of them may lead to the record. */

/** Spellings in a URL, percent-encoded where required. */
export function spellingsOf(id: number): readonly string[] {
  const digits = String(id);
  const encoded = [...digits].map((digit) => `%3${digit}`).join('');
  const inScript = (zero: number): string => encodeURIComponent([...digits].map((digit) => String.fromCodePoint(zero + Number(digit))).join(''));
  return [
    `+${digits}`, `-${digits}`, `%2B${digits}`, `%20${digits}`, `${digits}%20`, `%09${digits}`, `${digits}%0A`, `${digits}%0D%0A`, `${digits}%00`, `%00${digits}`,
    `${digits}.0`, `${digits}.5`, `${digits}.`, `.${digits}`, `${digits},0`, `${digits}e0`, `${digits}E0`, `${digits.slice(0, 1)}.${digits.slice(1)}e${digits.length - 1}`,
    `0x${id.toString(16)}`, `0b${id.toString(2)}`, `0o${id.toString(8)}`, `0${id.toString(8)}o`, `${digits}n`, `${digits}L`, `${digits}abc`, `abc${digits}`,
    `${digits}'`, `${digits}"`, `${digits}--`, `${digits}/*`, `${digits}%20OR%201=1`, `${digits})`, `(${digits})`, `[${digits}]`, `%5B${digits}%5D`, `%7B%22$gt%22:0%7D`,
    `%25${encoded.slice(1)}`, `${encoded}%2500`, inScript(0x0660), inScript(0x06f0), inScript(0x0966), inScript(0xff10), '%C2%B2', '%E2%85%A0',
    'true', 'false', 'null', 'undefined', 'NaN', 'Infinity', '-Infinity', '1e400', '-0', '0', '9007199254740993', '18446744073709551717', `1${'0'.repeat(40)}`,
    `${digits}_`, `1_${digits.slice(1)}`, `${digits}%C2%A0`, `%EF%BB%BF${digits}`, `${digits}%E2%80%8B`, `${digits}%F0%9F%99%82`, `${digits}%ED%A0%80`, `..%2F${digits}`, `${digits}%2F..`, `${digits}%5C`,
  ];
}

/** Values in a JSON body other than the number itself. */
export function jsonSpellingsOf(id: number): readonly unknown[] {
  const digits = String(id);
  return [
    `+${digits}`, ` ${digits}`, `${digits} `, `${digits}\0`, `0x${id.toString(16)}`, `${digits}abc`, `${digits}e0`, '１０１', '١', true, false, [id], [[id]], { id }, { $gt: 0 },
    { valueOf: id }, { length: 1, 0: id }, `[${digits}]`, `{"$gt":0}`, id + 0.5, -id, -0, 2 ** 53 + 2, 1e300, 'Infinity', 'NaN', `${digits},102`, `${digits} OR 1=1`, `${digits}'--`,
  ];
}
