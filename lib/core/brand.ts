/**
 * Lets `instanceof` recognise instances that another copy of this package has made: a namespace or a store adapter may bring
 * its own. The mark is a registered symbol, which all copies share.
 *
 * What a mark promises is the public data members of the class, in every version; methods are called on own instances only,
 * except `toJSON`. A version that changes the meaning of a member has to take another name.
 */
export function brand(type: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(`routebook.${name}`);
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A subclass inherits this function, but not everything that carries the mark is of the subclass.
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
