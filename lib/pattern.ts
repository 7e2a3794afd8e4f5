const GROUP = /\(\?P<(\w+)>((?:[^()[\]]|\[[^\]]*\])+)\)/g;

/** Has a meaning to regular expressions, to addresses or to the router; a group that may be absent would leave its parameter out. */
const SPECIAL = /[:*?+()[\]{}|^$\\#]/;

/** Names of the groups of a pattern, in order. */
export function groupsOf(pattern: string): readonly string[] {
  return [...pattern.matchAll(GROUP)].map((match) => match[1] as string);
}

/** A pattern in parts: `/posts/(?P<id>[\d]+)/fixed` begins with `/posts/` and goes on with `/:id(^(?:[\d]+)$)/fixed`. */
export interface Pattern {
  /** The whole segments before the first group, with the slash behind them; the pattern itself where there is no group. */
  readonly beginning: string;
  /** What follows, from that slash on, in the router's own spelling; null: nothing. */
  readonly rest: string | null;
  /** The pattern without what its groups are called and take: two patterns of one shape are the same to the router. */
  readonly shape: string;
}

/** @throws TypeError for what is no pattern. */
export function parsePattern(pattern: string): Pattern {
  if (!pattern.startsWith('/')) throw new TypeError('the path of the pattern does not begin with "/"');
  const plain = pattern.replaceAll(GROUP, '');
  if (plain.includes('(?P<')) throw new TypeError('a group of the pattern is not closed or holds another group');
  const groups = groupsOf(pattern);
  if (new Set(groups).size < groups.length) throw new TypeError('two groups of the pattern have the same name');
  const special = SPECIAL.exec(plain)?.[0];
  if (special !== undefined) throw new TypeError(`"${special}" stands outside of a named group, where a pattern is plain text`);
  if (groups.length === 0) return { beginning: pattern, rest: null, shape: pattern };
  const beginning = pattern.slice(0, pattern.lastIndexOf('/', pattern.search(GROUP)) + 1);
  const rest = pattern.slice(beginning.length - 1).replaceAll(GROUP, (_match, name: string, expression: string) => `:${name}(^(?:${expression})$)`);
  return { beginning, rest, shape: pattern.replaceAll(GROUP, '()') };
}
