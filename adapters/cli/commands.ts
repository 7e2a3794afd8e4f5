import type { Command, CommandBody } from './frame/command.ts';

/**
 * All commands in the order of the help: the name as it is typed, what the command does in one line without a full stop, and what loads it
 * when it is used. To add one, write a file in `commands/` that exports the result of `defineCommand`, and add a line here; its help, man
 * page and documentation follow from it.
 */
const ROWS: readonly (readonly [name: string, summary: string, load: () => Promise<CommandBody>])[] = [
  ['serve', 'Serve a site over HTTP', async () => (await import('./commands/serve.ts')).serve],
  [
    'init',
    'Begin a site of your own: its configuration, its store and its administrator',
    async () => (await import('./commands/init.ts')).init,
  ],
  [
    'plugins',
    'Print the plugins of a site: what each declares, reads and runs',
    async () => (await import('./commands/plugins.ts')).plugins,
  ],
  [
    'routes',
    'Print every route with its methods, its effect and its permission',
    async () => (await import('./commands/routes.ts')).routes,
  ],
  [
    'openapi',
    'Print the OpenAPI 3.1 document of a site',
    async () => (await import('./commands/routes.ts')).openapi,
  ],
  [
    'validate',
    'Check a JSON file: routes, a fixture, names, a configuration or content types',
    async () => (await import('./commands/routes.ts')).validate,
  ],
  [
    'diff',
    'Compare two versions of routes, and tell what breaks clients',
    async () => (await import('./commands/routes.ts')).diff,
  ],
  [
    'call',
    'Call a route of a site as one of its users',
    async () => (await import('./commands/call.ts')).call,
  ],
  [
    'mcp',
    'Serve the routes of a site as tools for agents, over standard input and output',
    async () => (await import('./commands/mcp.ts')).mcp,
  ],
  [
    'types',
    'Print TypeScript declarations of resources, requests and responses',
    async () => (await import('./commands/types.ts')).types,
  ],
  ['user add', 'Add a user who can log in', async () => (await import('./commands/user-add.ts')).userAdd],
  ['user list', 'List the users of a site', async () => (await import('./commands/user.ts')).userList],
  [
    'user password',
    'Give a user a new password',
    async () => (await import('./commands/user.ts')).userPassword,
  ],
  [
    'user edit',
    'Change the address, the names or the description of a user',
    async () => (await import('./commands/user.ts')).userEdit,
  ],
  [
    'user role',
    'Show or change the roles of a user',
    async () => (await import('./commands/user.ts')).userRole,
  ],
  [
    'user token',
    'Make, list or revoke the application passwords of a user',
    async () => (await import('./commands/user.ts')).userToken,
  ],
  [
    'user pairs',
    'Show or change the language pairs of a translator',
    async () => (await import('./commands/user.ts')).userPairs,
  ],
  ['user remove', 'Remove a user', async () => (await import('./commands/user.ts')).userRemove],
  [
    'setting get',
    'Show one setting of a site, or all of them',
    async () => (await import('./commands/setting.ts')).settingGet,
  ],
  [
    'setting set',
    'Change a setting of a site',
    async () => (await import('./commands/setting.ts')).settingSet,
  ],
  [
    'webhooks list',
    'List the receivers of events',
    async () => (await import('./commands/webhooks.ts')).webhooksList,
  ],
  [
    'webhooks add',
    'Add a receiver of events',
    async () => (await import('./commands/webhooks.ts')).webhooksAdd,
  ],
  [
    'webhooks remove',
    'Remove a receiver of events and its deliveries',
    async () => (await import('./commands/webhooks.ts')).webhooksRemove,
  ],
  [
    'webhooks attempts',
    'List the latest deliveries to a receiver, with their attempts',
    async () => (await import('./commands/webhooks.ts')).webhooksAttempts,
  ],
  [
    'webhooks redeliver',
    'Have the server send a delivery again, with the same id',
    async () => (await import('./commands/webhooks.ts')).webhooksRedeliver,
  ],
  [
    'meta rename',
    'Give the stored values of a meta key another name',
    async () => (await import('./commands/meta.ts')).metaRename,
  ],
  [
    'verify',
    'Compare the answers of a server with recorded ones of WordPress',
    async () => (await import('./commands/verify.ts')).verify,
  ],
  [
    'migrate',
    'Bring a store to the tables and indexes of this version, and do nothing else',
    async () => (await import('./commands/migrate.ts')).migrate,
  ],
  [
    'backup',
    'Copy a site into a directory while it is in use, and check the copy',
    async () => (await import('./commands/backup.ts')).backup,
  ],
  ['restore', 'Bring a site back from a backup', async () => (await import('./commands/backup.ts')).restore],
  [
    'check',
    'Look for damage, dangling references, circles of parents, unknown roles and orphaned files',
    async () => (await import('./commands/check.ts')).check,
  ],
  [
    'export',
    'Write the content of a site to a file or to standard output',
    async () => (await import('./commands/export.ts')).exportCommand,
  ],
  [
    'completion',
    'Print a script with which a shell completes commands, options and names of actions',
    async () => (await import('./commands/completion.ts')).completion,
  ],
  [
    'import',
    'Bring content in: an export of WordPress, a live site, NDJSON, or a fixture',
    async () => (await import('./commands/import.ts')).importCommand,
  ],
];

/** What the help lists, without loading the commands. */
export const COMMANDS: ReadonlyMap<string, string> = new Map(ROWS.map(([name, summary]) => [name, summary]));

/** Loads commands; without names all of them, in their order. */
export function loadCommands(names: Iterable<string> = COMMANDS.keys()): Promise<readonly Command[]> {
  const wanted = new Set(names);
  return Promise.all(
    ROWS.filter(([name]) => wanted.has(name)).map(async ([name, summary, load]) =>
      Object.assign({ name, summary }, await load()),
    ),
  );
}
