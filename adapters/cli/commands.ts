import type { Command } from './frame/command.ts';

/**
 * All commands in the order of the help. A command is loaded when it is used. To add one, write a file in `commands/`
 * that exports the result of `defineCommand`, and add a line here; its help, man page and documentation follow from it.
 */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['serve', async () => (await import('./commands/serve.ts')).serve],
  ['init', async () => (await import('./commands/init.ts')).init],
  ['plugins', async () => (await import('./commands/plugins.ts')).plugins],
  ['routes', async () => (await import('./commands/routes.ts')).routes],
  ['openapi', async () => (await import('./commands/routes.ts')).openapi],
  ['validate', async () => (await import('./commands/routes.ts')).validate],
  ['diff', async () => (await import('./commands/routes.ts')).diff],
  ['call', async () => (await import('./commands/call.ts')).call],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcp],
  ['types', async () => (await import('./commands/types.ts')).types],
  ['user add', async () => (await import('./commands/user-add.ts')).userAdd],
  ['user list', async () => (await import('./commands/user.ts')).userList],
  ['user password', async () => (await import('./commands/user.ts')).userPassword],
  ['user edit', async () => (await import('./commands/user.ts')).userEdit],
  ['user role', async () => (await import('./commands/user.ts')).userRole],
  ['user token', async () => (await import('./commands/user.ts')).userToken],
  ['user pairs', async () => (await import('./commands/user.ts')).userPairs],
  ['user remove', async () => (await import('./commands/user.ts')).userRemove],
  ['setting get', async () => (await import('./commands/setting.ts')).settingGet],
  ['setting set', async () => (await import('./commands/setting.ts')).settingSet],
  ['webhooks list', async () => (await import('./commands/webhooks.ts')).webhooksList],
  ['webhooks add', async () => (await import('./commands/webhooks.ts')).webhooksAdd],
  ['webhooks remove', async () => (await import('./commands/webhooks.ts')).webhooksRemove],
  ['webhooks attempts', async () => (await import('./commands/webhooks.ts')).webhooksAttempts],
  ['webhooks redeliver', async () => (await import('./commands/webhooks.ts')).webhooksRedeliver],
  ['meta rename', async () => (await import('./commands/meta.ts')).metaRename],
  ['verify', async () => (await import('./commands/verify.ts')).verify],
  ['migrate', async () => (await import('./commands/migrate.ts')).migrate],
  ['backup', async () => (await import('./commands/backup.ts')).backup],
  ['restore', async () => (await import('./commands/backup.ts')).restore],
  ['check', async () => (await import('./commands/check.ts')).check],
  ['export', async () => (await import('./commands/export.ts')).exportCommand],
  ['completion', async () => (await import('./commands/completion.ts')).completion],
  ['import', async () => (await import('./commands/import.ts')).importCommand],
]);

/** Loads all commands, in their order. */
export function loadCommands(names: Iterable<string> = COMMANDS.keys()): Promise<readonly Command[]> {
  return Promise.all([...names].flatMap((name) => COMMANDS.get(name)?.() ?? []));
}
