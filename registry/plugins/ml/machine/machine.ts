import type { GlossaryTerm } from '../glossary/find-terms.ts';

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
