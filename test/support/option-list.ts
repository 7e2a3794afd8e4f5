import { readFileSync } from 'node:fs';
import { PROJECT } from './sources.ts';

/** A member of an interface with its docstring on one line. */
interface Member {
  readonly name: string;
  readonly doc: string;
}

/** The members of an interface as its source documents them, in their order. */
function readMembers(file: string, name: string): readonly Member[] {
  const [, body] =
    new RegExp(String.raw`^(?:export )?interface ${name}\b[^{]*\{\n(.*?)\n\}`, 'ms').exec(
      readFileSync(`${PROJECT}${file}`, 'utf8'),
    ) ?? [];
  if (body === undefined) throw new Error(`${file} has no interface ${name}`);
  return [...body.matchAll(/ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}readonly (\w+)/gs)].map(
    ([, doc = '', member = '']) => ({ name: member, doc: doc.replaceAll(/\s*\n\s*\*\s?|\s+/g, ' ').trim() }),
  );
}

/** Members of several interfaces, each once: the first one counts. */
function merge(lists: readonly (readonly Member[])[], without: readonly string[] = []): readonly Member[] {
  const byName = new Map<string, Member>();
  for (const member of lists.flat())
    if (!byName.has(member.name) && !without.includes(member.name)) byName.set(member.name, member);
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name));
}

const toList = (members: readonly Member[]): string =>
  members
    .map(({ name, doc }) => `- \`${name}\`: ${doc.replace(/ Default:? (?:none|false)\.$/, '')}`)
    .join('\n');

/** The options of `createEngine`. */
export function listEngineOptions(): readonly Member[] {
  const own = [
    'engine-options.ts EngineOptions',
    'root-routes.ts RootOptions',
    'registrations.ts RegisterOptions',
    'openapi-routes.ts DocumentOptions',
  ].map((each) => each.split(' '));
  return merge(
    [
      ...own.map(([file = '', name = '']) => readMembers(`lib/engine/${file}`, name)),
      readMembers('lib/dispatch/runtime.ts', 'RuntimeOptions'),
    ],
    ['addresses', 'allow'],
  );
}

/** The options of `createSite`. */
export function listSiteOptions(): readonly Member[] {
  return merge(
    [
      readMembers('registry/site-options.ts', 'SiteOptions'),
      readMembers('registry/core/host/ports.ts', 'Ports'),
    ],
    ['background', 'changes'],
  );
}

/** The options of `createServer`, `createListener` and `createFetchHandler`. */
export function listServerOptions(): readonly Member[] {
  return merge([
    readMembers('adapters/http/node-binding.ts', 'OwnOptions'),
    [
      {
        name: 'context',
        doc: '`(request) => value`, or a promise of it: what handlers get as `call.host`. Default: none.',
      },
    ],
  ]);
}

/** The limits of servers. */
export function listServerLimits(): readonly Member[] {
  return readMembers('adapters/http/http-limits.ts', 'HttpLimits');
}

/** The page docs/options.md. */
export function describeOptions(): string {
  const engine = listEngineOptions();
  const isShared = ({ name, doc }: Member): boolean =>
    engine.some((option) => option.name === name && option.doc === doc);
  const site = listSiteOptions();
  const shared = site.filter(isShared).map(({ name }) => `\`${name}\``);
  return [
    '# Options',
    'What the functions that make engines, sites and servers take. Unknown options and invalid values are refused by name. An option without a default is off or empty. This page is made from the code.',
    '## createEngine',
    toList(engine),
    '### headers',
    toList(readMembers('lib/http/response-headers.ts', 'HeaderOptions')),
    '### openapi',
    toList(readMembers('lib/engine/openapi-routes.ts', 'OpenApiOptions')),
    '### names',
    'Every member is required. `checkNames(names)` checks a map.',
    toList(readMembers('lib/core/names.ts', 'Names')),
    '## createSite',
    toList(site.filter((option) => !isShared(option))),
    `As for \`createEngine\`: ${shared.join(', ')}.`,
    '## createServer, createListener, createFetchHandler',
    'From `routebook/node-http` and `routebook/fetch`. `createFetchHandler` requires `siteUrl`.',
    toList(listServerOptions()),
    '### limits',
    '`headersTimeoutMs`, `keepAliveTimeoutMs` and `connections` belong to `createServer` alone. `createFetchHandler` has neither them nor `stallTimeoutMs` and `requestsPerSocket`.',
    toList(listServerLimits()),
  ]
    .join('\n\n')
    .concat('\n');
}
