/** A text in one pair of languages. */
export interface LanguagePair {
  readonly source: string;
  readonly target: string;
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
  /** The body of a request. */
  toBody(texts: readonly string[], pair: LanguagePair): unknown;
  /** The translations in a response, in the order of the texts; null if it has none. */
  readTexts(response: Readonly<Record<string, unknown>>): readonly unknown[] | null;
  /** What a status means that is particular to the service. */
  readonly statuses: Readonly<Record<number, string>>;
}
