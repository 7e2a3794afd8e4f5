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

/** Which requests cannot change a site, whatever server it has. */

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Servers take another method from these, and some read a second request where the length of the first is wrong. */
const REFUSED_HEADERS: ReadonlySet<string> = new Set([
  'x-http-method-override',
  'x-method-override',
  'x-http-method',
  'content-length',
  'transfer-encoding',
]);

/** PHP reads `X_HTTP_METHOD_OVERRIDE` as the same header. */
const isRefusedHeader = (name: string): boolean =>
  REFUSED_HEADERS.has(name.toLowerCase().replaceAll('_', '-'));

/** Whether a parameter of the query names another method, also as PHP spells it: ` .method` is `_method` there. */
function namesMethod(target: string): boolean {
  const [, ...members] = target.split(/[?&;#]/);
  return members.some((member) =>
    [...new URLSearchParams(member).keys()].some((name) => /^\s*[^a-z\d]method/i.test(name)),
  );
}

/** Whether the step only reads. `target`: path and query as they are sent. A step that names another method at all does not. */
export function isRead({ method, headers }: Step, target: string): boolean {
  return READS.has(method) && !Object.keys(headers ?? {}).some(isRefusedHeader) && !namesMethod(target);
}

/** Whether the scenario may leave the site changed, as far as its text says: saved values are known only when it runs. */
export function mutates({ steps }: Scenario): boolean {
  return steps.some((step) => !isRead(step, `${step.path}?${step.query ?? ''}`));
}
