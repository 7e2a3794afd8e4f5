/**
 * Makes `instanceof` recognise instances that another copy of this package created: a namespace or a store adapter may bring
 * its own copy. The mark is a registered symbol, which all copies share.
 *
 * A mark promises the public data members of the class, in every version. Methods are called only on own instances,
 * except `toJSON`. A version that changes the meaning of a member must use another name.
 */
export function brand(type: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(`routebook.${name}`);
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A subclass inherits this function, but not every marked instance belongs to the subclass.
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value);
      if (typeof value !== 'object' || value === null) return false;
      // Nearly every value is of this copy or plain, and the search for the mark takes V8 far longer.
      const prototype: unknown = Object.getPrototypeOf(value);
      return (
        prototype === type.prototype ||
        (prototype !== Object.prototype && prototype !== Array.prototype && mark in value)
      );
    },
  });
}
