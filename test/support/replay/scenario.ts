/** Recorded cases: requests with what the answers must hold. */

/** What an answer must hold. Pointers are JSON pointers with `*`, `#`, `@keys` and `@keysonly` (see `pointers.ts`). */
export interface Expect {
  readonly status: number;
  /** null: the header must be absent. `link`: relation -> address, or null. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The whole body, except what `ignore` names. */
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
  /** Login of the caller; null: a stranger. */
  readonly as: string | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent urlencoded. */
  readonly form?: string;
  /** Sent as it stands, without a media type. */
  readonly raw?: string;
  /** Name -> pointer: values of the answer that later steps write as `${name}`. */
  readonly save?: Readonly<Record<string, string>>;
  readonly expect: Expect;
}

export interface Scenario {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly steps: readonly Step[];
}

/** Values that earlier steps saved. */
export type Vars = Record<string, unknown>;

export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the scenario may leave the site changed. */
export function mutates({ steps }: Scenario): boolean {
  return steps.some((step) => !READS.has(step.method) || step.headers?.['X-HTTP-Method-Override'] !== undefined
    || /_method=(POST|PUT|PATCH|DELETE)/.test(step.query ?? ''));
}
