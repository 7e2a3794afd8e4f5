import { STYLE_FUNCTIONS, STYLE_PROPERTIES } from './allowed.ts';

const MAX_STYLE = 10_000;
/** Properties that may show a picture. */
const PICTURES: ReadonlySet<string> = new Set([
  'background',
  'background-image',
  'list-style',
  'list-style-image',
]);
// Escapes, comments, at-rules, blocks and markup are not allowed in a declaration, because they hide the meaning of a value.
const HIDING = /[\\<>{}@\p{Cc}]|\/\*|\*\/|<!--/u;
const PICTURE = /url\(\s*(["']?)(?:https?:\/\/|\/(?!\/)|[\w.-]+(?:[/?#]|(?=["')\s])))[^\s"'()]*\1\s*\)/gi;

function isAllowedProperty(property: string): boolean {
  return STYLE_PROPERTIES.some((each) =>
    each.endsWith('*') ? property.startsWith(each.slice(0, -1)) : each === property,
  );
}

function isAllowedValue(property: string, value: string): boolean {
  if (value === '' || HIDING.test(value)) return false;
  const rest = PICTURES.has(property) ? value.replaceAll(PICTURE, '') : value;
  if (/url|expression|javascript|import|behavior|-moz-binding/i.test(rest)) return false;
  return [...rest.matchAll(/([\w-]+)\s*(\(?)/g)].every(
    ([, name = '', bracket]) => bracket === '' || STYLE_FUNCTIONS.has(name.toLowerCase()),
  );
}

/** Splits at semicolons outside of quotes and parentheses. */
function splitDeclarations(style: string): string[] {
  const declarations: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let index = 0; index < style.length; index += 1) {
    const character = style.charAt(index);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ';' && depth <= 0) {
      declarations.push(style.slice(start, index));
      start = index + 1;
    }
  }
  if (quote === '' && depth === 0) declarations.push(style.slice(start));
  return declarations;
}

function isAllowedDeclaration(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  return (
    declaration.trim() === '' ||
    (isAllowedProperty(property) && isAllowedValue(property, declaration.slice(colon + 1).trim()))
  );
}

/** The allowed declarations of a style attribute, as written; empty if there are none. */
export function sanitiseStyle(style: string): string {
  if (style.length > MAX_STYLE) return '';
  const kept = splitDeclarations(style).filter(isAllowedDeclaration);
  return kept.every((each) => each.trim() === '') ? '' : kept.join(';');
}
