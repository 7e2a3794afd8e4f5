import type { FieldDescriptor } from '../../../lib/store/collection.ts';

/** A name of the site: a type, a status, a language. */
export const NAME = { type: 'text', maxLength: 100 } as const satisfies FieldDescriptor;

/** A date: `YYYY-MM-DDTHH:MM:SS`, or empty. */
export const DATE = { type: 'text', maxLength: 40 } as const satisfies FieldDescriptor;
