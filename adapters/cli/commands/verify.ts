import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { trimEnd } from '../../../lib/core/text.ts';
import { defineCommand } from '../frame/command.ts';
import { UsageError } from '../frame/options.ts';
import { note, print, printJson } from '../frame/output.ts';
import { readNames } from '../site/read-names.ts';
import { send, toDigest, type Target } from '../verify/client.ts';
import { getAt, isMembers } from '../verify/pointers.ts';
import { readCases, readPasswords, toWireCases } from '../verify/read-cases.ts';
import { mutates } from '../verify/reads.ts';
import { runScenarios, type Outcome } from '../verify/run-scenarios.ts';
import type { Difference, Scenario } from '../verify/scenario.ts';

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

/** @throws UsageError */
function toAddress(name: string, text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text) || /[?#]/.test(text))
    throw new UsageError(`${name} "${text}": must be an address such as http://127.0.0.1:8787/en/cms-json`);
  return trimEnd(text, '/');
}

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
  if (isMembers(body) && isMembers(body['routes'])) {
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
  name: 'verify',
  summary: 'Compare the answers of a server with recorded ones of WordPress',
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
  async run({ operands, values, namespaces, ownPlugins }) {
    const base = toAddress('URL', operands.url);
    const resetAt = values.reset === undefined ? undefined : toAddress('--reset', values.reset);
    const scenarios = choose(
      toWireCases(
        await readCases(values.cases),
        await readNames(values.names, { namespaces, plugins: ownPlugins }),
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
