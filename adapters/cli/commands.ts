import { own } from '../../lib/core/objects.ts';
import type { Command, CommandBody } from './frame/command.ts';

/**
 * All commands in the order of the help: their files, each loaded when one of its commands is used, and what each command does in one line without
 * a full stop. To add one, export the result of `defineCommand` under its name (`user list`: `userList`) from a file in `commands/`, and add a line
 * here; its help, man page and documentation follow from it.
 */
const FILES: readonly (readonly [
  load: () => Promise<object>,
  summaries: Readonly<Record<string, string>>,
])[] = [
  [() => import('./commands/serve.ts'), { serve: 'Serve a site over HTTP' }],
  [
    () => import('./commands/init.ts'),
    { init: 'Begin a site of your own: its configuration, its store and its administrator' },
  ],
  [
    () => import('./commands/plugins.ts'),
    { plugins: 'Print the plugins of a site: what each declares, reads and runs' },
  ],
  [
    () => import('./commands/routes.ts'),
    {
      routes: 'Print every route with its methods, its effect and its permission',
      openapi: 'Print the OpenAPI 3.1 document of a site',
      validate: 'Check a JSON file: routes, a fixture, names, a configuration or content types',
      diff: 'Compare two versions of routes, and tell what breaks clients',
    },
  ],
  [() => import('./commands/call.ts'), { call: 'Call a route of a site as one of its users' }],
  [
    () => import('./commands/mcp.ts'),
    { mcp: 'Serve the routes of a site as tools for agents, over standard input and output' },
  ],
  [
    () => import('./commands/types.ts'),
    { types: 'Print TypeScript declarations of resources, requests and responses' },
  ],
  [() => import('./commands/user-add.ts'), { 'user add': 'Add a user who can log in' }],
  [
    () => import('./commands/user.ts'),
    {
      'user list': 'List the users of a site',
      'user password': 'Give a user a new password',
      'user edit': 'Change the address, the names or the description of a user',
      'user role': 'Show or change the roles of a user',
      'user token': 'Make, list or revoke the application passwords of a user',
      'user pairs': 'Show or change the language pairs of a translator',
      'user remove': 'Remove a user',
    },
  ],
  [
    () => import('./commands/setting.ts'),
    {
      'setting get': 'Show one setting of a site, or all of them',
      'setting set': 'Change a setting of a site',
    },
  ],
  [
    () => import('./commands/webhooks.ts'),
    {
      'webhooks list': 'List the receivers of events',
      'webhooks add': 'Add a receiver of events',
      'webhooks remove': 'Remove a receiver of events and its deliveries',
      'webhooks attempts': 'List the latest deliveries to a receiver, with their attempts',
      'webhooks redeliver': 'Have the server send a delivery again, with the same id',
    },
  ],
  [
    () => import('./commands/meta.ts'),
    { 'meta rename': 'Give the stored values of a meta key another name' },
  ],
  [
    () => import('./commands/verify.ts'),
    { verify: 'Compare the answers of a server with recorded ones of WordPress' },
  ],
  [
    () => import('./commands/migrate.ts'),
    { migrate: 'Bring a store to the tables and indexes of this version, and do nothing else' },
  ],
  [
    () => import('./commands/backup.ts'),
    {
      backup: 'Copy a site into a directory while it is in use, and check the copy',
      restore: 'Bring a site back from a backup',
    },
  ],
  [
    () => import('./commands/check.ts'),
    { check: 'Look for damage, dangling references, circles of parents, unknown roles and orphaned files' },
  ],
  [
    () => import('./commands/export.ts'),
    { export: 'Write the content of a site to a file or to standard output' },
  ],
  [
    () => import('./commands/completion.ts'),
    { completion: 'Print a script with which a shell completes commands, options and names of actions' },
  ],
  [
    () => import('./commands/import.ts'),
    { import: 'Bring content in: an export of WordPress, a live site, NDJSON, or a fixture' },
  ],
];

/** What the help lists, without loading the commands. */
export const COMMANDS: ReadonlyMap<string, string> = new Map(
  FILES.flatMap(([, summaries]) => Object.entries(summaries)),
);

/** Loads commands; without names all of them, in their order. */
export function loadCommands(names: Iterable<string> = COMMANDS.keys()): Promise<readonly Command[]> {
  const wanted = new Set(names);
  return Promise.all(
    FILES.flatMap(([load, summaries]) =>
      Object.entries(summaries)
        .filter(([name]) => wanted.has(name))
        .map(async ([name, summary]) => {
          const exported = name.replace(/ (\w)/, (_space, letter: string) => letter.toUpperCase());
          const command = own((await load()) as Readonly<Record<string, CommandBody>>, exported);
          if (command === undefined)
            throw new Error(`The file of the command ${name} must export ${exported}.`);
          return Object.assign({ name, summary }, command);
        }),
    ),
  );
}
