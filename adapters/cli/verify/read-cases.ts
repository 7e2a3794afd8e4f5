import { fileURLToPath } from 'node:url';
import { renameParam, type Names } from '../../../lib/core/names.ts';
import { own } from '../../../lib/core/objects.ts';
import { UsageError, splitList } from '../frame/options.ts';
import { inFile, readJson } from '../site/read-json.ts';
import { isMembers } from './pointers.ts';
import type { Scenario } from './scenario.ts';

/** The neutral names in which the cases are written. */
const NEUTRAL = {
  header: /\bx-cms(?=-)/gi,
  relation: /^cms:api$/,
  curie: /\bcms:(?=[a-z*{])/g,
  href: 'https://api.cms.example/{rel}',
} as const;

/** A namespace, in a path, a pointer (`~1` for a slash) or alone. */
const NAMESPACE = /(?<=^|~1|[^\w-])[a-z][a-z-]*(?=(?:\/|~1)v\d)/g;

const isLower = (text: string): boolean => text === text.toLowerCase();

function renameText(text: string, { headerPrefix, apiRelation, segments, curie }: Names): string {
  return text
    .replace(NEUTRAL.relation, apiRelation)
    .replaceAll(NEUTRAL.href, curie.href)
    .replaceAll(NEUTRAL.curie, `${curie.wire}:`)
    .replaceAll(NEUTRAL.header, (prefix) => (isLower(prefix) ? headerPrefix.toLowerCase() : headerPrefix))
    .replaceAll(NAMESPACE, (segment) =>
      Object.hasOwn(segments, segment) ? String(segments[segment]) : segment,
    );
}

function rename(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return renameText(value, names);
  if (Array.isArray(value)) return value.map((each) => rename(each, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      renameText(renameParam(names, key), names),
      rename(each, names),
    ]),
  );
}

/** The cases with the wire names of a server instead of the neutral ones. */
export function toWireCases(scenarios: readonly Scenario[], names: Names): readonly Scenario[] {
  return scenarios.map((scenario) => ({
    ...scenario,
    steps: rename(scenario.steps, names) as Scenario['steps'],
  }));
}

/** Cases that hold for every site, whatever its content: reads of anonymous callers. */
const OWN_CASES = fileURLToPath(new URL('../../../../conformance/cases.json', import.meta.url));

const isStep = (value: unknown): boolean =>
  isMembers(value) &&
  typeof value['method'] === 'string' &&
  typeof value['path'] === 'string' &&
  isMembers(value['expect']) &&
  Number.isInteger(value['expect']['status']);

function isScenario(value: unknown): value is Scenario {
  return (
    isMembers(value) &&
    ['id', 'area', 'title'].every((name) => typeof own(value, name) === 'string') &&
    Array.isArray(value['steps']) &&
    value['steps'].length > 0 &&
    value['steps'].every(isStep)
  );
}

async function readFile(file: string): Promise<readonly Scenario[]> {
  const document = await readJson(file);
  return inFile(file, () => {
    const scenarios = isMembers(document) ? document['scenarios'] : document;
    if (!Array.isArray(scenarios)) throw new TypeError('the document must have a list "scenarios"');
    const wrong = scenarios.findIndex((each) => !isScenario(each));
    if (wrong !== -1)
      throw new TypeError(
        `scenarios[${wrong}]: must have id, area, title, and steps of method, path and expect.status`,
      );
    return scenarios as readonly Scenario[];
  });
}

/** Reads the cases of files, or the package's own. @throws TypeError with the file and the place */
export async function readCases(files: string | undefined): Promise<readonly Scenario[]> {
  const names = files === undefined ? [OWN_CASES] : splitList(files);
  return (await Promise.all(names.map(readFile))).flat();
}

/** The passwords of a fixture's users by login. */
export async function readPasswords(fixture: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (fixture === undefined) return {};
  const document = await readJson(fixture);
  const users: readonly unknown[] =
    isMembers(document) && Array.isArray(document['users']) ? document['users'] : [];
  if (users.length === 0) throw new UsageError(`--fixture ${fixture}: has no users`);
  return Object.fromEntries(
    users.filter(isMembers).map(({ login, password }) => [String(login), String(password)]),
  );
}
