/** The first member that is not one of the known; undefined: there is none. */
export function findUnknownMember(value: object, known: ReadonlySet<string>): string | undefined {
  for (const name in value) if (!known.has(name)) return name;
  return undefined;
}

/** Holds an object that no compiler saw to its members, so that a slip of the pen is no silence. @throws TypeError naming the first other one */
export function checkMembers(what: string, value: object, known: readonly string[]): void {
  const unknown = findUnknownMember(value, new Set(known));
  if (unknown !== undefined) throw new TypeError(`unknown member "${unknown}" of ${what}, whose members are ${known.join(', ')}`);
}
