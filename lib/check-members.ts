/** Holds an object that no compiler saw to its members, so that a slip of the pen is no silence. @throws TypeError naming the first other one */
export function checkMembers(what: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`unknown member "${unknown}" of ${what}, whose members are ${known.join(', ')}`);
}
