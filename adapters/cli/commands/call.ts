import { suggest } from '../../../lib/core/did-you-mean.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import {
  type Action,
  createRequest,
  effectOf,
  type Engine,
  listActions,
  toActionCall,
} from '../../../lib/index.ts';
import { type Additions, type CommandBody, toAdditions } from '../frame/command.ts';
import { type CliOptions, readArguments, UsageError } from '../frame/options.ts';
import { JSON_SWITCH, print, printJson, toIndented, toTable } from '../frame/output.ts';
import { CALLER_OPTIONS, type CallerValues, toRefusal, withCaller } from '../site/as-operator.ts';
import { withEmptySite } from '../site/memory-site.ts';

const OPTIONS = {
  ...CALLER_OPTIONS,
  json: JSON_SWITCH,
} as const satisfies CliOptions;

/** An option that a parameter of the route has as well belongs to the command; with `arg-` before its name it is the parameter. */
const optionOf = (name: string): string => (Object.hasOwn(OPTIONS, name) ? `arg-${name}` : name);

/** The parameters of an action as options of the command line. */
function toOptions({ args }: Action): CliOptions {
  return Object.fromEntries(
    args.map(([name, schema]) => [
      optionOf(name),
      {
        value: 'VALUE',
        help: `${schema.description ?? ''}${schema.required === true ? ' Required.' : ''}`.trim(),
      },
    ]),
  );
}

/** The name of the action: the first argument that is not an option or the value of one. */
function splitName(args: readonly string[]): readonly [name: string | undefined, rest: readonly string[]] {
  const [first, ...rest] = args;
  return first === undefined || first.startsWith('-') ? [undefined, args] : [first, rest];
}

function findAction(engine: Engine, name: string): Action {
  const actions = listActions(engine);
  const found = actions.find((action) => action.name === name);
  if (found === undefined)
    throw new UsageError(
      `"${name}" is not an action of the site. "routebook call" lists them.${suggest(
        name,
        actions.map((action) => action.name),
      )}`,
    );
  return found;
}

const toLine = ({ name, endpoint: { summary = '' } }: Action): readonly [string, string] => [name, summary];

/** Values of options of any name: the actions of a site are known only once its options are read. */
function readSome(args: readonly string[], known: CliOptions): CallerValues & { readonly json: boolean } {
  const all = Object.fromEntries(
    args
      .filter((arg) => arg.startsWith('--'))
      .map((arg) => arg.slice(2).split('=', 1)[0] ?? '')
      .filter((name) => !Object.hasOwn(known, name))
      .map((name) => [name, { value: 'VALUE', help: '' }]),
  );
  return readArguments({ ...OPTIONS, ...all }, args).values;
}

/** A text that is a JSON list or object is read as such. All other values are coerced as those of a query. */
function toValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function readArgs(action: Action, args: readonly string[]): Readonly<Record<string, unknown>> {
  const { values, rest } = readArguments({ ...OPTIONS, ...toOptions(action) }, args);
  if (rest.length > 0) throw new UsageError(`Unexpected argument '${rest[0]}'.`);
  return Object.fromEntries(
    action.args.flatMap(([name]) => {
      const value = own<string | boolean | undefined>(values, optionOf(name));
      return typeof value === 'string' ? [[name, toValue(value)]] : [];
    }),
  );
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;
/** The text of a field for people; that of a rendered field is its HTML. */
const toText = (value: unknown): string =>
  isObject(value) && typeof value['rendered'] === 'string'
    ? value['rendered'].trim()
    : isScalar(value)
      ? String(value ?? '')
      : JSON.stringify(value);

const LONGEST = 60;
const COLUMNS = ['id', 'date', 'status', 'slug', 'name', 'title'];

function show(body: unknown): void {
  if (Array.isArray(body) && body.every(isObject)) {
    const columns = COLUMNS.filter((name) => body.some((record) => Object.hasOwn(record, name)));
    if (body.length > 0 && columns.length > 0)
      print(
        toTable([
          columns,
          ...body.map((record) => columns.map((name) => toText(own(record, name)).slice(0, LONGEST))),
        ]),
      );
    else printJson(body);
  } else if (isObject(body)) {
    const fields = Object.entries(body).filter(([name]) => name !== '_links');
    print(fields.map(([name, value]) => `${name}: ${toText(value)}`).join('\n'));
  } else printJson(body);
}

async function callAction(name: string, args: readonly string[], added: Additions): Promise<number> {
  const { json, ...values } = readSome(args, OPTIONS);
  return withCaller(values, added, async ({ engine, identity, language }) => {
    const action = findAction(engine, name);
    const { method, path, body } = toActionCall(action, engine.names, readArgs(action, args));
    const request = { ...createRequest('/', { method, language }), path, body };
    const response = await engine.dispatch(request, identity);
    const shown: unknown = JSON.parse(JSON.stringify(response.body ?? null));
    if (json) printJson(shown);
    if (response.status >= 400) {
      if (!json) throw toRefusal(shown);
      return 1;
    }
    if (!json) show(shown);
    return 0;
  });
}

/** Every route of a site as a command, from the same table as tools and abilities. */
export const call: CommandBody = {
  description: [
    'Parameters of the route are options of the command: "routebook call ACTION --help" shows them. Those whose names the command has itself begin with arg- (--arg-content).',
  ],
  operands: {
    action: { help: 'Name of a route, such as cms.posts.list. Without it, all are listed.', optional: true },
  },
  options: OPTIONS,
  examples: [
    ['routebook call cms.posts.list --per_page 3 --as editor', 'three posts, as this user sees them'],
    ['routebook call cms.posts.create --title Hello --status publish --as editor --json', 'a new post'],
  ],
  async help(args, options = {}) {
    const [name, rest] = splitName(args);
    if (name === undefined) return null;
    const values = readSome(
      rest.filter((arg) => arg !== '--help' && arg !== '-h'),
      OPTIONS,
    );
    return withEmptySite({ ...values, ...toAdditions(options) }, async ({ engine }) => {
      const action = findAction(engine, name);
      const { summary = name, description } = action.endpoint;
      return [
        `${summary}.`,
        ...(description === undefined ? [] : [description]),
        `It ${{ read: 'changes nothing', write: 'writes', destroy: 'can remove what is there' }[effectOf(action.endpoint)]}.`,
        '',
        `Usage: routebook call ${name} [OPTIONS]`,
        '',
        toIndented(
          Object.entries(toOptions(action)).map(([option, { help }]) => [`--${option} VALUE`, help]),
        ),
        '',
        'The options of "routebook call --help" may be given as well.',
      ].join('\n');
    });
  },
  async start(args, options = {}) {
    const [name, rest] = splitName(args);
    if (name !== undefined) return callAction(name, rest, toAdditions(options));
    const { json, ...values } = readArguments(OPTIONS, rest).values;
    await withEmptySite({ ...values, ...toAdditions(options) }, async ({ engine }) => {
      const actions = listActions(engine);
      if (json)
        printJson(
          actions.map((action) => ({
            name: action.name,
            effect: effectOf(action.endpoint),
            summary: action.endpoint.summary ?? '',
          })),
        );
      else print(toTable(actions.map(toLine)));
    });
    return 0;
  },
};
