/** Names that every plain object inherits. Used as keys from outside, they find something in every table that is a plain object. */
export const INHERITED_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype).filter(
  (name) => /^[a-z]/i.test(name),
);
