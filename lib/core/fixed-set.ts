function refuseChange(): never {
  throw new TypeError('this set is shared with other calls and cannot change; copy it with new Set(set)');
}

/** A set that never changes. A Set cannot be frozen, so its methods refuse. */
export class FixedSet<T> extends Set<T> {
  constructor(values: Iterable<T> = []) {
    super();
    for (const value of values) super.add(value);
    Object.freeze(this);
  }

  override add(): never {
    return refuseChange();
  }

  override delete(): never {
    return refuseChange();
  }

  override clear(): never {
    return refuseChange();
  }
}
