import createRouter from 'find-my-way';
import { createMemo } from '../core/memo.ts';
import { groupBy } from '../core/objects.ts';
import { listSegments, parsePattern } from '../route/pattern.ts';
import { findLongest } from '../schema/check-expression.ts';

/** Longest accepted path parameter, in characters. */
export const PATH_PARAMETER_LIMIT = 100;

interface Match<T> {
  readonly target: T;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the target of a path. Case and a trailing slash are significant. The path must already be decoded. */
export type Find<T> = (path: string) => Match<T> | null;

/** Collects patterns. `build` returns a lookup of the patterns added so far. */
export interface Router<T> {
  /** @throws TypeError or Error for a pattern that is not valid, is already registered, or has a regular expression that takes more than linear time. */
  add(pattern: string, target: T): void;
  build(): Find<T>;
}

/** A pattern with groups: literal text up to a slash, and the rest from that slash on. */
interface Route<T> {
  readonly beginning: string;
  readonly rest: string;
  readonly target: T;
}

/**
 * All routes with groups in one list, grouped by beginning. It consists of few, dense parts, because ten thousand routes
 * must share the processor's cache. A lookup reads one entry of each part; an entry of `treeOf` takes two bytes.
 */
interface Row<T> {
  /** Beginning -> index of its first route. */
  readonly starts: ReadonlyMap<string, number>;
  readonly targets: readonly T[];
  /** Find the rest of a path. The result is the position of the target, relative to the start of its beginning. */
  readonly trees: readonly Find<number>[];
  /** For each start: the index of its tree. */
  readonly treeOf: Uint16Array | Uint32Array;
}

const NO_PARAMS = Object.freeze(Object.create(null) as Match<unknown>['params']);
const MARK = /[%?#]/;
const noop = () => undefined;

/** Most rests of a tree that other tables of the process may share: their text is kept. */
const MOST_SHARED = 20;
const remember = createMemo<Find<number>>(1000);

function createTree(rests: readonly string[]): Find<number> {
  return rests.length > MOST_SHARED
    ? growTree(rests)
    : remember(JSON.stringify(rests), () => growTree(rests));
}

function growTree(rests: readonly string[]): Find<number> {
  const router = createRouter({
    maxParamLength: PATH_PARAMETER_LIMIT,
    caseSensitive: true,
    ignoreTrailingSlash: false,
  });
  rests.forEach((rest, position) => router.on('GET', rest, noop, { position }));
  return (rest) => {
    // The adapter has decoded the path once. Characters that would be decoded again are encoded, so that they stay unchanged.
    const found = router.find('GET', MARK.test(rest) ? rest.replaceAll(/[%?#]/g, encodeURIComponent) : rest);
    return found === null
      ? null
      : {
          target: (found.store as { position: number }).position,
          params: found.params as Match<number>['params'],
        };
  };
}

/**
 * Checks the expressions of a pattern, segment by segment, as the router matches a path.
 * @throws TypeError for one whose time grows faster than the path
 */
function checkTime(pattern: string): void {
  for (const segment of listSegments(pattern)) {
    if (findLongest(`^${segment}$`, '') < Infinity)
      throw new TypeError(
        `the groups ${segment} take time that grows faster than the path, because several of their repetitions can match the same characters; write repetitions that share none, such as [^/-]+ before a hyphen`,
      );
  }
}

/** Beginnings with the same rests (`/posts/(?P<id>…)`, `/pages/(?P<id>…)`) share one tree. */
function createRow<T>(routes: readonly Route<T>[]): Row<T> {
  const [starts, targets, trees] = [new Map<string, number>(), [] as T[], [] as Find<number>[]];
  const treeOf = routes.length > 0xffff ? new Uint32Array(routes.length) : new Uint16Array(routes.length);
  const known = new Map<string, number>();
  for (const [beginning, group] of groupBy(routes, (route) => route.beginning)) {
    const rests = group.map(({ rest }) => rest);
    const key = JSON.stringify(rests);
    const tree = known.get(key) ?? trees.push(createTree(rests)) - 1;
    known.set(key, tree);
    // Joined into a new string, because a slice keeps a reference to the string that it was cut from.
    starts.set(beginning.split('/').join('/'), targets.length);
    treeOf[targets.length] = tree;
    for (const { target } of group) targets.push(target);
  }
  return { starts, targets, trees, treeOf };
}

/** Takes the first part of the path, up to the slash at `end`, as the beginning. */
function findInRow<T>(
  { starts, targets, trees, treeOf }: Row<T>,
  path: string,
  end: number,
): Match<T> | null {
  const start = starts.get(path.slice(0, end + 1));
  const match = start === undefined ? null : (trees[treeOf[start] ?? 0]?.(path.slice(end)) ?? null);
  return start === undefined || match === null
    ? null
    : { target: targets[start + match.target] as T, params: match.params };
}

function createFind<T>(literals: ReadonlyMap<string, Match<T>>, row: Row<T>): Find<T> {
  const longest = [...row.starts.keys()].reduce((length, beginning) => Math.max(length, beginning.length), 0);
  return (path) => {
    const literal = literals.get(path);
    if (literal !== undefined) return literal;
    for (
      let end = path.lastIndexOf('/', longest - 1);
      end >= 0;
      end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)
    ) {
      const match = findInRow(row, path, end);
      if (match !== null) return match;
    }
    return null;
  };
}

/**
 * Literal text wins over a group. A pattern without groups is found first, then the longest literal beginning that leads
 * to a match. find-my-way matches the rest.
 */
export function createPathRouter<T>(): Router<T> {
  const shapes = new Set<string>();
  const checked = new Set<string>();
  const literals = new Map<string, Match<T>>();
  const routes: Route<T>[] = [];
  return {
    add(pattern, target) {
      const { beginning, rest, shape } = parsePattern(pattern);
      if (shapes.has(shape))
        throw new TypeError(
          'this pattern, or one that differs only in its groups, is already registered; write the endpoints of both in one route',
        );
      if (rest === null) {
        literals.set(pattern, { target, params: NO_PARAMS });
      } else {
        if (!checked.has(rest)) {
          createTree([rest]);
          checkTime(pattern);
        }
        checked.add(rest);
        routes.push({ beginning, rest, target });
      }
      shapes.add(shape);
    },
    build: () => createFind(new Map(literals), createRow(routes)),
  };
}
