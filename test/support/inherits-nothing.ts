/** Whether an object with this prototype has no members but its own: it has no prototype, or a frozen one without members. */
export function inheritsNothing(prototype: unknown): boolean {
  return (
    prototype === null ||
    (typeof prototype === 'object' &&
      Reflect.ownKeys(prototype).length === 0 &&
      Object.isFrozen(prototype) &&
      Object.getPrototypeOf(prototype) === null)
  );
}
