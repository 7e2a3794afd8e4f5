const GROUP = /\(\?P<(\w+)>((?:[^()[\]]|\[[^\]]*\])+)\)/g;

/** Has a meaning to regular expressions, to addresses or to the router; a group that may be absent would leave its parameter out. */
const SPECIAL = /[:*?+()[\]{}|^$\\#]/;

/** A named group: `(?P<name>expression)`. */
export interface Group {
  readonly name: string;
  readonly expression: string;
}

/** The groups of a pattern, in order. */
export function readGroups(pattern: string): readonly Group[] {
  return [...pattern.matchAll(GROUP)].map(([, name = '', expression = '']) => ({ name, expression }));
}

/** Their names. */
export function groupsOf(pattern: string): readonly string[] {
  return readGroups(pattern).map(({ name }) => name);
}

/** The pattern with something else in the place of each group. */
export function replaceGroups(pattern: string, replace: (group: Group) => string): string {
  return pattern.replaceAll(GROUP, (_match, name: string, expression: string) => replace({ name, expression }));
}

/** How other routers write a group. */
const FOREIGN_GROUPS = [/\(\?<(?<name>\w+)>[^)]*\)/, /:(?<name>[A-Za-z_]\w*)/, /\{(?<name>\w+)[^}]*\}/, /\[(?<name>\w+)\]/];

/** What a pattern says that is not plain text outside of its groups, and how it would be written. */
function describeSpecial(plain: string): string {
  const foreign = FOREIGN_GROUPS.map((form) => form.exec(plain)).find((match) => match !== null);
  if (foreign?.groups !== undefined) return `"${foreign[0]}" is not a group; a group is written (?P<${foreign.groups['name']}>…), with an expression in the place of …, such as [\\d]+ for digits and [^/]+ for any text`;
  return `"${SPECIAL.exec(plain)?.[0]}" stands outside of a named group, where a pattern is plain text; a group is written (?P<name>…), with an expression in the place of …`;
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
  const plain = replaceGroups(pattern, () => '');
  if (plain.includes('(?P<')) throw new TypeError('a group of the pattern is not closed or holds another group');
  const groups = groupsOf(pattern);
  if (new Set(groups).size < groups.length) throw new TypeError('two groups of the pattern have the same name');
  if (SPECIAL.test(plain)) throw new TypeError(describeSpecial(plain));
  if (groups.length === 0) return { beginning: pattern, rest: null, shape: pattern };
  const beginning = pattern.slice(0, pattern.lastIndexOf('/', pattern.search(GROUP)) + 1);
  const rest = replaceGroups(pattern.slice(beginning.length - 1), ({ name, expression }) => `:${name}(^(?:${expression})$)`);
  return { beginning, rest, shape: replaceGroups(pattern, () => '()') };
}
