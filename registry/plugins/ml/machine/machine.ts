import { type DocumentRule, FLAG, mapOf, objectOf, TEXT, wordOf } from '../../../plugin.ts';
import type { GlossaryTerm } from '../glossary/glossary.ts';

/** A text in one pair of languages. */
export interface LanguagePair {
  readonly source: string;
  readonly target: string;
}

/** What a glossary of a service is made from. */
interface GlossaryRequest extends LanguagePair {
  readonly terms: readonly GlossaryTerm[];
  readonly signal: AbortSignal | undefined;
  /** Whether the service no longer has the glossary that was found before. */
  readonly isLost: boolean;
}

/** The public interface of a translation service, which the host connects under `id`. */
export interface Machine {
  readonly id: string;
  readonly label: string;
  readonly path: string;
  /** Most texts of one request. */
  readonly maxTexts: number;
  /** Most bytes of the texts of one request, as JSON. */
  readonly maxBytes: number;
  /** The id of the service's own glossary with these terms; null: none. Absent: the service has no glossaries. @throws RestError `service_*` */
  findGlossary?(request: GlossaryRequest): Promise<string | null>;
  /** The body of a request. `glossary`: what `findGlossary` found. */
  toBody(texts: readonly string[], pair: LanguagePair, glossary: string | null): unknown;
  /** The translations in a response, in the order of the texts; null if it has none. */
  readTexts(response: Readonly<Record<string, unknown>>): readonly unknown[] | null;
  /** What a status means that is particular to the service. */
  readonly statuses: Readonly<Record<number, string>>;
}

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
