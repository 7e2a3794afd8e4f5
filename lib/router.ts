import createRouter from 'find-my-way';

/** Longest accepted path parameter. Characters. */
export const PATH_PARAMETER_LIMIT = 100;

const GROUP = /\(\?P<(\w+)>((?:[^()[\]]|\[[^\]]*\])+)\)/g;

/** Has a meaning to regular expressions or to the router; a group that may be absent would leave its parameter out. */
const SPECIAL = /[:*?+()[\]{}|^$\\]/;

/** Names of the groups of a pattern, in order. */
export function groupsOf(pattern: string): readonly string[] {
  return [...pattern.matchAll(GROUP)].map((match) => match[1] as string);
}

/** `/posts/(?P<id>[\d]+)` in the router's own spelling: `/posts/:id(^(?:[\d]+)$)`. */
function toRouterPath(pattern: string): string {
  const plain = pattern.replaceAll(GROUP, '');
  if (plain.includes('(?P<')) throw new TypeError('a group of the pattern is not closed or holds another group');
  const groups = groupsOf(pattern);
  if (new Set(groups).size < groups.length) throw new TypeError('two groups of the pattern have the same name');
  const special = SPECIAL.exec(plain)?.[0];
  if (special !== undefined) throw new TypeError(`"${special}" stands outside of a named group, where a pattern is plain text`);
  return pattern.replaceAll(GROUP, (_match, name: string, expression: string) => `:${name}(^(?:${expression})$)`);
}

export interface Match<T> {
  readonly target: T;
  readonly params: Readonly<Record<string, string>>;
}

export interface Router<T> {
  /** @throws TypeError or Error for a pattern that is not valid or whose regular expression may take exponential time. */
  add(pattern: string, target: T): void;
  find(path: string): Match<T> | null;
}

/** Finds the target of a path. Letter case counts, a trailing slash counts, the path is taken as already decoded. */
export function createPathRouter<T extends object>(): Router<T> {
  const router = createRouter({ maxParamLength: PATH_PARAMETER_LIMIT, caseSensitive: true, ignoreTrailingSlash: false });
  const noop = () => undefined;
  return {
    add: (pattern, target) => router.on('GET', toRouterPath(pattern), noop, target),
    find(path) {
      if (!path.startsWith('/')) return null;
      // The path is decoded once by the adapter; what could be decoded again is written back, so that it stays what it is.
      const found = router.find('GET', path.replaceAll(/[%?#;]/g, encodeURIComponent));
      return found === null ? null : { target: found.store as T, params: found.params as Readonly<Record<string, string>> };
    },
  };
}
