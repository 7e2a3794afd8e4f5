/** Addresses of the plain routes. */
export const ITEMS = '/plain/items';

/** What the plain GET returns. */
export interface Item {
  readonly id: number;
  readonly name: string;
  readonly limit: number;
  readonly tags: readonly string[];
}

/** What the plain POST takes. */
export interface NewItem {
  readonly name: string;
  readonly quantity: number;
  readonly active: boolean;
}

/** Every peer returns the same values, so that only the framework differs. */
export function readItem(id: number, limit: number): Item {
  return { id, name: 'A coil of rope', limit, tags: ['deck', 'harbour'] };
}

export function createItem({ name, quantity, active }: NewItem): NewItem & { readonly id: number } {
  return { id: 1, name, quantity, active };
}
