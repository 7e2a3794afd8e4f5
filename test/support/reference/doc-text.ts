import type { Declaration } from './read-entries.ts';

/** The text of a docstring without its marks; '' if there is none. */
export function toDocText({ docComment = '' }: Declaration): string {
  return docComment
    .replace(/^\/\*\*\s*|\s*\*\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .replaceAll(/\s*@throws\s+/g, ' Throws ')
    .trim();
}

/** The source of a declaration, without its body. */
export function toSignature({ excerptTokens = [] }: Declaration): string {
  return excerptTokens
    .map(({ text }) => text)
    .join('')
    .replace(/^export (?:declare )?/, '')
    .trim();
}

/** Name of a member; that of an index signature is its source. */
export function toName(declaration: Declaration): string {
  return (
    declaration.name ??
    (declaration.kind.startsWith('Constructor')
      ? 'constructor'
      : toSignature(declaration)
          .replace(/^readonly /, '')
          .replace(/:[^:]*$/, ''))
  );
}

/** A constructor is explained by its class, and a member may be explained by the docstring of its type, which then names it in backquotes: `limit`, or `limit: 'all'`. */
function isExplained(member: Declaration, type: Declaration): boolean {
  return (
    toDocText(member) !== '' ||
    member.kind.startsWith('Constructor') ||
    [`\`${toName(member)}\``, `\`${toName(member)}: `].some((mention) => toDocText(type).includes(mention))
  );
}

/** `file: name` of the declaration and of each member without a docstring. */
export function listUndocumented(declaration: Declaration): readonly string[] {
  const at = `${declaration.fileUrlPath ?? ''}: ${toName(declaration)}`;
  const missing = (declaration.members ?? [])
    .filter((member) => !isExplained(member, declaration))
    .map((member) => `${at}.${toName(member)}`);
  return toDocText(declaration) === '' ? [at, ...missing] : missing;
}
