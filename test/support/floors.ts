import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { PROJECT, type Import, type Source } from './sources.ts';

/** `  sqlite/   the SQLite store`: depth by two spaces. */
const LINE = /^((?: {2})*)([\w-]+)\/(?=\s)/;

/** The folders below `top` that docs/architecture.md lists, from top to bottom. */
export function listFloors(top: string): readonly string[] {
  const page = readFileSync(`${PROJECT}docs/architecture.md`, 'utf8');
  const [, block = ''] = new RegExp(`\`\`\`\\n${top}/[\\w.-]+ .*\\n([^]*?)\\n\`\`\``).exec(page) ?? [];
  const way: string[] = [];
  return block.split('\n').flatMap((line) => {
    const [, indent = '', name] = LINE.exec(line) ?? [];
    if (name === undefined) return [];
    way.splice(indent.length / 2 - 1, Infinity, name);
    return [[top, ...way].join('/')];
  });
}

/** The folders of both files where their ways part: `a/b` and `a/c` for `a/b/d/e.ts` and `a/c/f.ts`; the folder itself for a file that stands in it. */
function partFolders(one: string, other: string): readonly [string, string] {
  const [left, right] = [posix.dirname(one).split('/'), posix.dirname(other).split('/')];
  const at = left.findIndex((name, index) => name !== right[index]);
  const shared = at < 0 ? left.length : at;
  return [left.slice(0, shared + 1).join('/'), right.slice(0, shared + 1).join('/')];
}

/** Imports that run up, and imports in both directions between a folder's own files and its rooms. */
export function listUpwards(
  sources: readonly Source[],
  floors: readonly string[],
  isAllowed: (each: Import, source: Source) => boolean,
): readonly string[] {
  const up: string[] = [];
  const firstWays = new Map<string, string>();
  for (const source of sources) {
    for (const each of source.imports) {
      if (each.file === null || !floors.includes(posix.dirname(each.file)) || isAllowed(each, source))
        continue;
      const [from, to] = partFolders(source.file, each.file);
      if (from === to) continue;
      const text = `${source.file} -> ${each.file}`;
      // One of both contains the other: a folder's own files are all above its rooms, or all below.
      if (from.startsWith(`${to}/`) || to.startsWith(`${from}/`)) {
        const way = from.length < to.length ? [`${from}: down`, `${from}: up`] : [`${to}: up`, `${to}: down`];
        const [here = '', back = ''] = way;
        if (!firstWays.has(here)) firstWays.set(here, text);
        if (firstWays.has(back)) up.push(`${text}, and ${firstWays.get(back)}`);
      } else if (floors.indexOf(to) < floors.indexOf(from)) up.push(text);
    }
  }
  return up;
}

/** The folders that a file stands in: `a/b/c.ts` stands in `a/b` and `a`. */
export function listFoldersOf(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
