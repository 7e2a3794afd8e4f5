import { type DocumentRule, FLAG, TEXT, mapOf, objectOf, wordOf } from '../../../plugin.ts';

/** Settings of the machine translation services. */
export interface MachineOptions {
  readonly deepl: {
    /** The code of the service by language of the site, where it differs: `{ "en": "EN-GB" }`. */
    readonly codes?: Readonly<Record<string, string>>;
    readonly formality?: string;
    /** Ids of glossaries by pair of languages: `{ "en:fr": "…" }`. */
    readonly glossaries?: Readonly<Record<string, string>>;
    /** Whether the glossary of the site is made at the service, for pairs without an id. Default false. */
    readonly syncGlossary?: boolean;
  };
  readonly libretranslate: {
    readonly codes?: Readonly<Record<string, string>>;
    /** The key of the account, if the server requires one. */
    readonly apiKey?: string;
  };
}

const PAIR = {
  wanted: 'a pair of languages such as "en:fr"',
  fits: (value: unknown) => /^[\w-]+:[\w-]+$/.test(String(value)),
};

/** What the settings of each service must be. */
export const MACHINE_SETTINGS: Readonly<Record<keyof MachineOptions, DocumentRule>> = {
  deepl: objectOf({
    codes: mapOf(TEXT),
    formality: wordOf(['default', 'more', 'less', 'prefer_more', 'prefer_less']),
    glossaries: mapOf(TEXT, PAIR),
    syncGlossary: FLAG,
  }),
  libretranslate: objectOf({ codes: mapOf(TEXT), apiKey: { ...TEXT, secret: true } }),
};
