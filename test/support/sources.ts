import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. Tests run from `dist/test/…`. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Import {
  /** As written. */
  readonly specifier: string;
  /** The imported file of the project; null for a package or a Node module. */
  readonly file: string | null;
  readonly isType: boolean;
  /** Loaded when the program comes to it, not with the file. */
  readonly isLate: boolean;
}

export interface Source {
  /** Path relative to the project, with slashes: `lib/engine/engine.ts`. */
  readonly file: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\('([^']+)'\)|\bgetBuiltinModule\('([^']+)'\)|\brequire\('([^']+)'\)/g;

function toImport(
  file: string,
  specifier: string,
  kind: { readonly isType: boolean; readonly isLate: boolean },
): Import {
  return {
    specifier,
    ...kind,
    file: specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : null,
  };
}

function readSource(file: string): Source {
  const text = readFileSync(`${PROJECT}${file}`, 'utf8');
  const code = withoutComments(text);
  const imports = [...code.matchAll(IMPORT)].map((match) =>
    toImport(file, match[2] ?? '', { isType: match[1] !== undefined, isLate: false }),
  );
  const dynamic = [...code.matchAll(DYNAMIC)].map((match) =>
    toImport(file, match[1] ?? match[2] ?? match[3] ?? '', { isType: false, isLate: true }),
  );
  return { file, text, imports: [...imports, ...dynamic] };
}

/** Installed packages are not sources: `test/clients` has some of its own. */
function listBelow(folder: string): readonly string[] {
  const entries = readdirSync(`${PROJECT}${folder}`, { withFileTypes: true }).filter(
    ({ name }) => name !== 'node_modules',
  );
  return entries.flatMap((entry) =>
    entry.isDirectory() ? listBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );
}

/** Names of the files below a folder of the project. */
export function listFiles(folder: string, ending: string): readonly string[] {
  return listBelow(folder)
    .filter((file) => file.endsWith(ending))
    .sort();
}

/** The TypeScript files of the given folders. */
export function readSources(...folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) => listFiles(folder, '.ts')).map(readSource);
}

const COMMENT_OR_TEXT =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/** The code without comments. String literals are kept unchanged. */
export function withoutComments(text: string): string {
  return text.replaceAll(COMMENT_OR_TEXT, (found) => (found.startsWith('/') ? '' : found));
}

/** The comments of the code, without string literals. */
export function onlyComments(text: string): string {
  return [...text.matchAll(COMMENT_OR_TEXT)]
    .flatMap(([found]) => (found.startsWith('/') ? found : []))
    .join('\n');
}
