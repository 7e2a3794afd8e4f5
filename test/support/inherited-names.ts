/** What every plain object inherits: as words from outside they find something in a table that is a plain object. */
export const INHERITED_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype).filter((name) => /^[a-z]/i.test(name));
