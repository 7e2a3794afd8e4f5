import { french } from './fr.ts';

/** Translated descriptions by language. English does not need an entry. */
export const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = { fr: french };
