import { isLonger } from '../../../lib/core/characters.ts';
import type { ValueCheck } from '../../../lib/route/namespace.ts';
import { tooLong } from '../../../lib/schema/invalid.ts';

/**
 * Most characters (code points) of the texts of a term: of a name, as many as its column in WordPress has; of a description, as many as a comment may have.
 * Contributors create tags, and without a limit a few of them would exceed what a response can hold.
 */
export const MOST_CHARACTERS = { name: 200, description: 65_525 } as const;

const limit = (name: keyof typeof MOST_CHARACTERS): ValueCheck => (value) => (typeof value === 'string' && isLonger(value, MOST_CHARACTERS[name]) ? tooLong(name, MOST_CHARACTERS[name]) : null);

/** The value checks of the terms of every taxonomy. Separate from the schema, which must look as in the index of WordPress. */
export const TERM_CHECKS: Readonly<Record<string, ValueCheck>> = { 'cms.term-name': limit('name'), 'cms.term-description': limit('description') };
