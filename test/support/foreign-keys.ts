import {
  type ElementAccessExpression,
  type Expression,
  isAsExpression,
  isBinaryExpression,
  isComputedPropertyName,
  isConditionalExpression,
  isElementAccessExpression,
  isForInStatement,
  isNonNullExpression,
  isObjectBindingPattern,
  isParenthesizedExpression,
  isPrivateIdentifier,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
// Finds objects that are read by an arbitrary string: `TABLE[word]`, `word in TABLE`, `const { [word]: row } = TABLE`.
// Such a string may be `constructor`, which every object inherits.
import {
  API,
  type APIOptions,
  type Checker,
  type Project,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync';

interface KeyedRead {
  readonly node: Node;
  readonly key: Expression;
}

/** The expression without type assertions. */
function unwrap(expression: Expression): Expression {
  const isSaid =
    isAsExpression(expression) || isNonNullExpression(expression) || isParenthesizedExpression(expression);
  return isSaid ? unwrap(expression.expression) : expression;
}

function isWritten(node: Node): boolean {
  return (
    isBinaryExpression(node.parent) &&
    node.parent.left === node &&
    node.parent.operatorToken.kind === SyntaxKind.EqualsToken
  );
}

/** `for (const key in object) object[key]`, and `Object.hasOwn(object, key) ? object[key] : …`. */
function isGuarded(node: ElementAccessExpression, source: SourceFile): boolean {
  const [object, key] = [node.expression.getText(source), node.argumentExpression.getText(source)];
  for (let outer: Node | undefined = node.parent; outer !== undefined; outer = outer.parent) {
    if (isForInStatement(outer) && outer.getText(source).startsWith(`for (const ${key} in ${object})`))
      return true;
    if (
      isConditionalExpression(outer) &&
      outer.condition.getText(source) === `Object.hasOwn(${object}, ${key})`
    )
      return true;
  }
  return false;
}

function toRead(node: Node, source: SourceFile): KeyedRead | null {
  if (isElementAccessExpression(node)) {
    return isWritten(node) || isGuarded(node, source) ? null : { node, key: unwrap(node.argumentExpression) };
  }
  if (
    isBinaryExpression(node) &&
    node.operatorToken.kind === SyntaxKind.InKeyword &&
    !isPrivateIdentifier(node.left)
  )
    return { node, key: unwrap(node.left) };
  if (isComputedPropertyName(node) && isObjectBindingPattern(node.parent.parent))
    return { node: node.parent.parent, key: unwrap(node.expression) };
  return null;
}

function listReads(source: SourceFile): readonly KeyedRead[] {
  const reads: KeyedRead[] = [];
  const visit = (node: Node): void => {
    const read = toRead(node, source);
    if (read !== null) reads.push(read);
    node.forEachChild(visit);
  };
  visit(source);
  return reads;
}

/** Whether a key of the type can be any string. */
function isAnyText(checker: Checker, type: Type | undefined): boolean {
  if (type === undefined) return true;
  const widest =
    type.flags & TypeFlags.TypeParameter ? (checker.getBaseConstraintOfType(type) ?? type) : type;
  return checker.isTypeAssignableTo(checker.getStringType(), widest);
}

function findInFile({ program, checker }: Project, file: string): readonly string[] {
  const source = program.getSourceFile(file);
  if (source === undefined) throw new TypeError(`${file} is not part of the program`);
  const reads = listReads(source);
  const types = reads.length === 0 ? [] : checker.getTypeAtLocation(reads.map(({ key }) => key));
  return reads
    .filter((_read, at) => isAnyText(checker, types[at]))
    .map(({ node }) => {
      const line = source.text.slice(0, node.getStart(source)).split('\n').length;
      return `${file}:${line}: ${node.getText(source)}`;
    });
}

/** `path:line: code` of every such read in the files. `tsconfig`: absolute path of the configuration of the project. */
export function findForeignKeys(
  tsconfig: string,
  isWanted: (file: string) => boolean,
  options: APIOptions = {},
): readonly string[] {
  const api = new API(options);
  try {
    const project = api.updateSnapshot({ openProjects: [tsconfig] }).getProject(tsconfig);
    if (project === undefined) throw new TypeError(`${tsconfig} cannot be read`);
    return project.program
      .getSourceFileNames()
      .filter((file) => !file.endsWith('.d.ts') && isWanted(file))
      .flatMap((file) => findInFile(project, file));
  } finally {
    api.close();
  }
}
