const PLAIN = String.raw`[^()[\]]|\[[^\]]*\]`;
/** The expression may contain unnamed groups, one level deep: `(?P<user>(?:[\d]+|me))`. */
const GROUP = new RegExp(String.raw`\(\?P<(\w+)>((?:${PLAIN}|\(\?:(?:${PLAIN})+\))+)\)`, 'g');

/** Characters with a meaning in regular expressions, addresses or the router. An optional group would leave its parameter out. */
const SPECIAL = /[:*?+()[\]{}<>|^$\\#]/;

/** A named group: `(?P<name>expression)`. */
export interface Group {
  readonly name: string;
  readonly expression: string;
}

/** The groups of a pattern, in order. */
export function readGroups(pattern: string): readonly Group[] {
  return [...pattern.matchAll(GROUP)].map(([, name = '', expression = '']) => ({ name, expression }));
}

/** The names of the groups of a pattern, in order. */
export function groupsOf(pattern: string): readonly string[] {
  return readGroups(pattern).map(({ name }) => name);
}

/** Replaces each group of a pattern. */
export function replaceGroups(pattern: string, replace: (group: Group) => string): string {
  return pattern.replaceAll(GROUP, (_match, name: string, expression: string) =>
    replace({ name, expression }),
  );
}

/** The segments with groups, as expressions: `/a/(?P<id>[\d]+)-x` has one, `(?:[\d]+)-x`. */
export function listSegments(pattern: string): readonly string[] {
  const expressions: string[] = [];
  const marked = replaceGroups(pattern, ({ expression }) => `:${expressions.push(`(?:${expression})`) - 1}:`);
  return marked
    .split('/')
    .filter((segment) => segment.includes(':'))
    .map((segment) =>
      segment
        .split(':')
        .map((part, index) =>
          index % 2 === 0 ? part.replaceAll('.', '[.]') : (expressions[Number(part)] ?? ''),
        )
        .join(''),
    );
}

/** A group of the other form, `{name}`, whose expression follows from the type of its parameter. Braces in an expression are not one. */
const TYPED_OR_GROUP = new RegExp(`\\{([A-Za-z_]\\w*)\\}|${GROUP.source}`, 'g');

/** Replaces each group `{name}` of a pattern. */
export function replaceTypedGroups(pattern: string, replace: (name: string) => string): string {
  return pattern.replaceAll(TYPED_OR_GROUP, (group, typed: string | undefined) =>
    typed === undefined ? group : replace(typed),
  );
}

/** The syntax of groups in other routers. */
const FOREIGN_GROUPS = [
  /\(\?<(?<name>\w+)>[^()]*\)/,
  /\{(?<name>\w+)(?:[^\w{}][^{}]*)?\}/,
  /<(?:\w+:)?(?<name>\w+)>/,
  /:(?<name>[A-Za-z_]\w*)/,
  /\[(?<name>\w+)\]/,
];

/** Describes what is not plain text outside of the groups, and how to write it. */
function describeSpecial(plain: string): string {
  const foreign = FOREIGN_GROUPS.map((form) => form.exec(plain)).find((match) => match !== null);
  if (foreign?.groups !== undefined)
    return `"${foreign[0]}" is not a group; a group is written (?P<${foreign.groups['name']}>…), where … is an expression such as [\\d]+ for digits and [^/]+ for any text; {${foreign.groups['name']}} is short for one of these two, by the type of the parameter`;
  return `"${SPECIAL.exec(plain)?.[0]}" is outside of a named group, where a pattern must be plain text; a group is written (?P<name>…), where … is an expression`;
}

/** A pattern in parts: `/posts/(?P<id>[\d]+)/fixed` begins with `/posts/` and continues with `/:id(^(?:[\d]+)$)/fixed`. */
interface Pattern {
  /** The whole segments before the first group, with the slash after them. Without a group: the pattern itself. */
  readonly beginning: string;
  /** The rest from that slash on, in the syntax of the router. null: there is none. */
  readonly rest: string | null;
  /** The pattern without the names and expressions of its groups. To the router, two patterns of the same shape are equal. */
  readonly shape: string;
}

/** @throws TypeError for a text that is not a pattern. */
export function parsePattern(pattern: string): Pattern {
  if (!pattern.startsWith('/')) throw new TypeError('the pattern must begin with "/"');
  const plain = replaceGroups(pattern, () => '');
  if (plain.includes('(?P<'))
    throw new TypeError(
      'a group of the pattern is not closed or contains a capturing group; alternatives are written (?:a|b)',
    );
  const groups = groupsOf(pattern);
  if (new Set(groups).size < groups.length)
    throw new TypeError('two groups of the pattern have the same name');
  if (SPECIAL.test(plain)) throw new TypeError(describeSpecial(plain));
  if (groups.length === 0) return { beginning: pattern, rest: null, shape: pattern };
  const beginning = pattern.slice(0, pattern.lastIndexOf('/', pattern.search(GROUP)) + 1);
  const rest = replaceGroups(
    pattern.slice(beginning.length - 1),
    ({ name, expression }) => `:${name}(^(?:${expression})$)`,
  );
  return { beginning, rest, shape: replaceGroups(pattern, () => '()') };
}
