/** Recorded cases: requests with the expected responses. */

/** The expected response. Pointers are JSON pointers with `*`, `#`, `@keys` and `@keysonly` (see `pointers.ts`). */
export interface Expect {
  readonly status: number;
  /** null: the header must be absent. `link`: relation -> URL, or null. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The complete body, except the members named by `ignore`. */
  readonly body?: unknown;
  readonly ignore?: readonly string[];
  readonly at?: Readonly<Record<string, unknown>>;
  readonly absent?: readonly string[];
  readonly noBody?: boolean;
  /** Ids with equal sort keys, which may come in any order. */
  readonly ties?: readonly number[];
  readonly unordered?: boolean;
}

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Login of the caller; null for an anonymous caller. */
  readonly as: string | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent URL-encoded. */
  readonly form?: string;
  /** Sent unchanged, without a media type. */
  readonly raw?: string;
  /** Bytes to send, without a media type. */
  readonly base64?: string;
  /** Name -> pointer: values of the response that later steps use as `${name}`. */
  readonly save?: Readonly<Record<string, string>>;
  readonly expect: Expect;
}

export interface Scenario {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  /** What is odd about the recorded answer. */
  readonly quirk?: string;
  readonly steps: readonly Step[];
}

/** Values that earlier steps saved. */
export type Vars = Record<string, unknown>;

export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}
