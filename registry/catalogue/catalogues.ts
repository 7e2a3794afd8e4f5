import { french } from './fr.ts';

/** Descriptions by language; English needs no entry. */
export const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = { fr: french };
