// Collects the regular expressions of source files from their syntax trees, and asks two foreign judges what they cost.
import { analyse } from 'scslre';
import {
  type CallExpression,
  isCallExpression,
  isNewExpression,
  type NewExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { PROJECT } from './sources.ts';

// The judge's build in JavaScript: it needs neither Java nor a program of the platform. It reads this when it is loaded.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

export interface Expression {
  readonly source: string;
  readonly flags: string;
}

/** Where an expression stands: `lib/core/names.ts:12`. */
export type Place = string;

export interface Found {
  readonly literals: readonly (Expression & { readonly place: Place })[];
  /** Calls of `RegExp`, and of methods that make one of a string. */
  readonly built: readonly Place[];
}

/** Methods that make an expression of a string. */
const MAKERS: ReadonlySet<string> = new Set(['match', 'matchAll', 'search']);

const isString = (node: Node | undefined): boolean =>
  node !== undefined &&
  [
    SyntaxKind.StringLiteral,
    SyntaxKind.NoSubstitutionTemplateLiteral,
    SyntaxKind.TemplateExpression,
  ].includes(node.kind);

function isBuilt(node: CallExpression | NewExpression, source: SourceFile): boolean {
  const called = node.expression.getText(source);
  return called === 'RegExp' || (MAKERS.has(called.split('.').at(-1) ?? '') && isString(node.arguments?.[0]));
}

function collect(source: SourceFile, file: string): Found {
  const literals: (Expression & { place: Place })[] = [];
  const built: Place[] = [];
  const visit = (node: Node): void => {
    const place = (): Place => `${file}:${source.text.slice(0, node.getStart(source)).split('\n').length}`;
    if (node.kind === SyntaxKind.RegularExpressionLiteral) {
      const text = node.getText(source);
      const end = text.lastIndexOf('/');
      literals.push({ place: place(), source: text.slice(1, end), flags: text.slice(end + 1) });
    } else if ((isNewExpression(node) || isCallExpression(node)) && isBuilt(node, source))
      built.push(place());
    node.forEachChild(visit);
  };
  visit(source);
  return { literals, built };
}

/** The files whose expressions are collected. Nothing that they import is read. */
const CONFIG = `${PROJECT}test/support/expressions.tsconfig.json`;

/** The expressions of the product. */
export function collectExpressions(): Found {
  const api = new API({});
  try {
    const program = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG)?.program;
    const found = (program?.getSourceFileNames() ?? []).map((name) =>
      collect(program?.getSourceFile(name) as SourceFile, name.slice(PROJECT.length)),
    );
    return {
      literals: found.flatMap(({ literals }) => literals),
      built: found.flatMap(({ built }) => built),
    };
  } finally {
    api.close();
  }
}

const TOKEN =
  /\\(?:[pPu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|k<\w+>|[^])|\(\?<\w+>|\[(?:\\[^]|[^\]\\])*\]|[()|]|\{(\d+(?:,\d*)?)\}|\p{L}{3,}/giu;
const SMALL_COUNT = 4;

/** The branches of an expression. Each is tried for itself, so that the whole is linear if each of them is. */
function toBranches(source: string): readonly string[] {
  const cuts = [-1];
  let depth = 0;
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    if (token.startsWith('(')) depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === '|' && depth === 0) cuts.push(index);
  }
  return cuts.map((cut, index) => source.slice(cut + 1, cuts[index + 1]));
}

/**
 * The expression with a smaller automaton that takes at least as long: large counts are unbounded, capitals are small if case does not count,
 * and long words are shorter.
 */
function simplify(branch: string, flags: string): string {
  const lower = (text: string): string =>
    flags.includes('i')
      ? text.replaceAll(/\\[^]|[A-Z]/g, (each) => (each.length === 1 ? each.toLowerCase() : each))
      : text;
  return branch
    .replaceAll(TOKEN, (token, count?: string) => {
      const [least, most = least] = count?.split(',') ?? [];
      if (least !== undefined)
        return most !== '' && Number(most) <= SMALL_COUNT ? token : Number(least) === 0 ? '*' : '+';
      return /^\p{L}/u.test(token) ? `${token.charAt(0)}${token.at(-1)}` : token;
    })
    .replaceAll(/\\[pP]\{[^}]*\}|[^\\]+|\\[^]/g, (text) => (text.startsWith('\\') ? text : lower(text)));
}

/** Whether scslre finds a way to make it slow. It reads assertions and back-references. */
function isFoundSlow({ source, flags }: Expression): boolean {
  return analyse({ source, flags }, { assumeRejectingSuffix: false }).reports.length > 0;
}

const verdicts = new Map<string, boolean>();

function judgeBranch(branch: string, flags: string): boolean {
  // No judge reads flags that do not change what is tried.
  const kept = flags.replaceAll(/[gid]/g, '');
  const simple = simplify(branch, flags);
  const key = `${simple}/${kept}`;
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  // Without a limit of time: the verdict does not depend on how busy the machine is.
  const found = checkSync(simple, kept, { checker: 'automaton', timeout: null, maxNFASize: 5_000 });
  const verdict =
    found.status === 'safe' ||
    (found.status === 'unknown' &&
      found.error.kind === 'unsupported' &&
      !isFoundSlow({ source: branch, flags }));
  verdicts.set(key, verdict);
  return verdict;
}

/** Whether the judges say that an expression takes linear time. recheck decides; what it does not read, which is assertions and back-references, scslre decides. */
export function isLinear({ source, flags }: Expression): boolean {
  return toBranches(source).every((branch) => judgeBranch(branch, flags));
}
