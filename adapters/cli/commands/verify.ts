import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { fileURLToPath } from 'node:url';
import { type Names, renameParam } from '../../../lib/core/names.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import { defineCommand } from '../frame/command.ts';
import { splitList, toIndexUrl, UsageError } from '../frame/options.ts';
import { note, print, printJson } from '../frame/output.ts';
import { inFile, readJson } from '../site/read-json.ts';
import { readNames } from '../site/read-names.ts';
import { send, type Target, toDigest } from '../verify/client.ts';
import { getAt } from '../verify/pointers.ts';
import { type Outcome, runScenarios } from '../verify/run-scenarios.ts';
import { type Difference, mutates, type Scenario } from '../verify/scenario.ts';

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
function toWireCases(scenarios: readonly Scenario[], names: Names): readonly Scenario[] {
  return scenarios.map((scenario) => ({
    ...scenario,
    steps: rename(scenario.steps, names) as Scenario['steps'],
  }));
}

/** Cases that hold for every site, whatever its content: reads of anonymous callers. */
const OWN_CASES = fileURLToPath(new URL('../../../../conformance/cases.json', import.meta.url));

const isStep = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['method'] === 'string' &&
  typeof value['path'] === 'string' &&
  isObject(value['expect']) &&
  Number.isInteger(value['expect']['status']);

function isScenario(value: unknown): value is Scenario {
  return (
    isObject(value) &&
    ['id', 'area', 'title'].every((name) => typeof own(value, name) === 'string') &&
    Array.isArray(value['steps']) &&
    value['steps'].length > 0 &&
    value['steps'].every(isStep)
  );
}

async function readFile(file: string): Promise<readonly Scenario[]> {
  const document = await readJson(file);
  return inFile(file, () => {
    const scenarios = isObject(document) ? document['scenarios'] : document;
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
async function readCases(files: string | undefined): Promise<readonly Scenario[]> {
  const names = files === undefined ? [OWN_CASES] : splitList(files);
  return (await Promise.all(names.map(readFile))).flat();
}

/** The passwords of a fixture's users by login. */
async function readPasswords(fixture: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (fixture === undefined) return {};
  const document = await readJson(fixture);
  const users: readonly unknown[] =
    isObject(document) && Array.isArray(document['users']) ? document['users'] : [];
  if (users.length === 0) throw new UsageError(`--fixture ${fixture}: has no users`);
  return Object.fromEntries(
    users.filter(isObject).map(({ login, password }) => [String(login), String(password)]),
  );
}

const OPTIONS = {
  cases: {
    value: 'FILES',
    help: 'Comma-separated JSON files of cases, {"scenarios": […]}. Default: those of the package.',
  },
  fixture: { value: 'FILE', help: 'Its fixture, for passwords. Without it, cases of users are skipped.' },
  reset: {
    value: 'ADDRESS',
    help: 'POST to this address restores the fixture (serve --test-reset). Without it, cases that write are skipped.',
  },
  names: {
    value: 'NAMES',
    default: 'neutral',
    help: 'Wire names of the server: neutral, wordpress, or a JSON file.',
  },
  area: { value: 'NAME', help: 'Only the cases of this area.' },
  id: { value: 'ID', help: 'Only this case.' },
  'skip-quirks': { help: 'Skip cases of oddities of WordPress.' },
  json: { help: 'Print {passed, failed, skipped, failures}.' },
} as const;

const SHOWN = 300;

/** Says so if the server has another address, because its links then differ from what is expected. @throws Error if there is no index at the address */
async function checkIndex(target: Target): Promise<void> {
  const get = { method: 'GET', path: '/', as: null, expect: { status: 200 } };
  const reply = await send(get, target, {}).catch((error: unknown) => {
    throw new Error(
      `${target.base} cannot be reached: ${error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)}`,
      { cause: error },
    );
  });
  const { status, body, links } = toDigest(reply, target);
  if (isObject(body) && isObject(body['routes'])) {
    const own = getAt(body, '/routes/~1/_links/self/0/href');
    if (typeof own === 'string' && !own.startsWith('{base}'))
      note(
        `note: the server says that its address is ${own.replace(/\/$/, '')}. Links will differ unless that address is asked.`,
      );
    return;
  }
  const found = links['cms:api'] ?? links['https://api.w.org/'];
  throw new Error(
    `${target.base} answers ${status} without an index of routes. Give the address of the index${found === undefined ? ', such as http://127.0.0.1:8787/en/cms-json' : `: ${found.replace('{base}', target.base)}`}`,
  );
}

interface Choice {
  readonly area: string | undefined;
  readonly id: string | undefined;
  readonly 'skip-quirks': boolean;
}

/** @throws UsageError if none is left */
function choose(
  scenarios: readonly Scenario[],
  { area, id, 'skip-quirks': skipsQuirks }: Choice,
): readonly Scenario[] {
  const chosen = scenarios.filter(
    (each) =>
      (area === undefined || each.area === area) &&
      (id === undefined || each.id === id) &&
      !(skipsQuirks && each.quirk !== undefined),
  );
  if (chosen.length === 0)
    throw new UsageError(
      `No case fits. The areas are ${[...new Set(scenarios.map((each) => each.area))].join(', ')}.`,
    );
  return chosen;
}

async function reset(address: string): Promise<void> {
  const { ok, status } = await fetch(address, { method: 'POST' });
  if (!ok)
    throw new Error(`--reset ${address} answers ${status}. A server resets with --store memory --test-reset`);
}

const show = (value: unknown): string =>
  (typeof value === 'symbol' ? 'nothing' : (JSON.stringify(value) ?? 'nothing')).slice(0, SHOWN);
const toLine = ({ path, expected, actual }: Difference): string =>
  `${path}: ${show(expected)} expected, got ${show(actual)}`;

function tell(
  failed: readonly Outcome[],
  cases: ReadonlyMap<string, Scenario>,
  { passed, skipped }: { passed: number; skipped: number },
): void {
  for (const { id, step, differences } of failed)
    print(
      `${id}, step ${step} (${cases.get(id)?.title ?? ''}):\n${differences.map((each) => `  ${toLine(each)}`).join('\n')}`,
    );
  print(`${passed} passed, ${failed.length} failed, ${skipped} skipped.`);
}

export const verify = defineCommand({
  description: ['The cases of the package only read, as anonymous callers, and hold for any content.'],
  operands: { url: { help: 'Address of the index: http://127.0.0.1:8787/en/cms-json.' } },
  options: OPTIONS,
  examples: [
    [
      'routebook verify https://site.example/en/cms-json',
      'whether a site in production answers as it should',
    ],
    ['routebook verify https://old.example/wp-json --names wordpress', 'the same of a WordPress'],
  ],
  exitCodes: { 1: 'an answer differs, or the server cannot be reached' },
  async run({ operands, values, added }) {
    const base = toIndexUrl('URL', operands.url);
    const resetAt = values.reset === undefined ? undefined : toIndexUrl('--reset', values.reset);
    const scenarios = choose(
      toWireCases(
        await readCases(values.cases),
        await readNames(values.names, { namespaces: added.namespaces, plugins: added.ownPlugins }),
      ),
      values,
    );
    const passwords = await readPasswords(values.fixture);
    const isRun = (each: Scenario): boolean =>
      (resetAt !== undefined || !mutates(each)) &&
      each.steps.every(({ as }) => as === null || Object.hasOwn(passwords, as));
    const run = scenarios.filter(isRun);
    if (run.length === 0)
      throw new UsageError(
        'No case can be run. Cases that write need --reset, and cases of users --fixture.',
      );
    const agent = new (base.startsWith('https') ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
    try {
      const target = { base, passwords, agent };
      await checkIndex(target);
      const outcomes = await runScenarios(run, target, resetAt === undefined ? null : () => reset(resetAt));
      const failed = outcomes.filter(({ differences }) => differences.length > 0);
      const counts = { passed: run.length - failed.length, skipped: scenarios.length - run.length };
      if (values.json)
        printJson({
          ...counts,
          failed: failed.length,
          failures: failed.map(({ id, step, differences }) => ({
            id,
            step,
            differences: differences.map(toLine),
          })),
        });
      else tell(failed, new Map(scenarios.map((each) => [each.id, each])), counts);
      return failed.length === 0 ? 0 : 1;
    } finally {
      agent.destroy();
    }
  },
});
