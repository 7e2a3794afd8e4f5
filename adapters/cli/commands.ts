import { own } from '../../lib/core/objects.ts';
import type { Command, CommandBody } from './frame/command.ts';

/**
 * All commands in the order of the help: the name as it is typed, what the command does in one line without a full stop, and its file, which is
 * loaded when it is used. To add one, write a file in `commands/` that exports the result of `defineCommand` under the name (`user list`: `userList`),
 * and add a line here; its help, man page and documentation follow from it.
 */
const ROWS: readonly (readonly [name: string, summary: string, load: () => Promise<object>])[] = [
  ['serve', 'Serve a site over HTTP', () => import('./commands/serve.ts')],
  [
    'init',
    'Begin a site of your own: its configuration, its store and its administrator',
    () => import('./commands/init.ts'),
  ],
  [
    'plugins',
    'Print the plugins of a site: what each declares, reads and runs',
    () => import('./commands/plugins.ts'),
  ],
  [
    'routes',
    'Print every route with its methods, its effect and its permission',
    () => import('./commands/routes.ts'),
  ],
  ['openapi', 'Print the OpenAPI 3.1 document of a site', () => import('./commands/routes.ts')],
  [
    'validate',
    'Check a JSON file: routes, a fixture, names, a configuration or content types',
    () => import('./commands/routes.ts'),
  ],
  [
    'diff',
    'Compare two versions of routes, and tell what breaks clients',
    () => import('./commands/routes.ts'),
  ],
  ['call', 'Call a route of a site as one of its users', () => import('./commands/call.ts')],
  [
    'mcp',
    'Serve the routes of a site as tools for agents, over standard input and output',
    () => import('./commands/mcp.ts'),
  ],
  [
    'types',
    'Print TypeScript declarations of resources, requests and responses',
    () => import('./commands/types.ts'),
  ],
  ['user add', 'Add a user who can log in', () => import('./commands/user-add.ts')],
  ['user list', 'List the users of a site', () => import('./commands/user.ts')],
  ['user password', 'Give a user a new password', () => import('./commands/user.ts')],
  [
    'user edit',
    'Change the address, the names or the description of a user',
    () => import('./commands/user.ts'),
  ],
  ['user role', 'Show or change the roles of a user', () => import('./commands/user.ts')],
  [
    'user token',
    'Make, list or revoke the application passwords of a user',
    () => import('./commands/user.ts'),
  ],
  ['user pairs', 'Show or change the language pairs of a translator', () => import('./commands/user.ts')],
  ['user remove', 'Remove a user', () => import('./commands/user.ts')],
  ['setting get', 'Show one setting of a site, or all of them', () => import('./commands/setting.ts')],
  ['setting set', 'Change a setting of a site', () => import('./commands/setting.ts')],
  ['webhooks list', 'List the receivers of events', () => import('./commands/webhooks.ts')],
  ['webhooks add', 'Add a receiver of events', () => import('./commands/webhooks.ts')],
  [
    'webhooks remove',
    'Remove a receiver of events and its deliveries',
    () => import('./commands/webhooks.ts'),
  ],
  [
    'webhooks attempts',
    'List the latest deliveries to a receiver, with their attempts',
    () => import('./commands/webhooks.ts'),
  ],
  [
    'webhooks redeliver',
    'Have the server send a delivery again, with the same id',
    () => import('./commands/webhooks.ts'),
  ],
  ['meta rename', 'Give the stored values of a meta key another name', () => import('./commands/meta.ts')],
  [
    'verify',
    'Compare the answers of a server with recorded ones of WordPress',
    () => import('./commands/verify.ts'),
  ],
  [
    'migrate',
    'Bring a store to the tables and indexes of this version, and do nothing else',
    () => import('./commands/migrate.ts'),
  ],
  [
    'backup',
    'Copy a site into a directory while it is in use, and check the copy',
    () => import('./commands/backup.ts'),
  ],
  ['restore', 'Bring a site back from a backup', () => import('./commands/backup.ts')],
  [
    'check',
    'Look for damage, dangling references, circles of parents, unknown roles and orphaned files',
    () => import('./commands/check.ts'),
  ],
  [
    'export',
    'Write the content of a site to a file or to standard output',
    () => import('./commands/export.ts'),
  ],
  [
    'completion',
    'Print a script with which a shell completes commands, options and names of actions',
    () => import('./commands/completion.ts'),
  ],
  [
    'import',
    'Bring content in: an export of WordPress, a live site, NDJSON, or a fixture',
    () => import('./commands/import.ts'),
  ],
];

/** What the help lists, without loading the commands. */
export const COMMANDS: ReadonlyMap<string, string> = new Map(ROWS.map(([name, summary]) => [name, summary]));

/** Loads commands; without names all of them, in their order. */
export function loadCommands(names: Iterable<string> = COMMANDS.keys()): Promise<readonly Command[]> {
  const wanted = new Set(names);
  return Promise.all(
    ROWS.filter(([name]) => wanted.has(name)).map(async ([name, summary, load]) => {
      const exported = name.replace(/ (\w)/, (_space, letter: string) => letter.toUpperCase());
      const command = own((await load()) as Readonly<Record<string, CommandBody>>, exported);
      if (command === undefined) throw new Error(`The file of the command ${name} must export ${exported}.`);
      return Object.assign({ name, summary }, command);
    }),
  );
}
