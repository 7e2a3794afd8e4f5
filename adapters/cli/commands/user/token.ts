import { defineCommand } from '../../frame/command.ts';
import { note, print, toTable } from '../../frame/output.ts';
import { asOperator, type Ask } from '../../site/as-operator.ts';
import { SITE_OPTIONS } from '../../site/site-options.ts';
import { findUser, USERS } from '../../site/users.ts';

/** An application password as the interface shows it. `password`: only when it was made. */
interface ShownToken {
  readonly uuid: string;
  readonly name: string;
  readonly created: string;
  readonly last_used: string | null;
  readonly password?: string;
}

/** Removes the application password with this UUID or name. @throws Error if there is none, or several have the name */
async function revoke(ask: Ask, path: string, wanted: string): Promise<void> {
  const all = (await ask(path)) as readonly ShownToken[];
  const found = all.filter(({ uuid, name }) => uuid === wanted || name === wanted);
  const [token, other] = found;
  if (token === undefined) throw new Error(`There is no application password "${wanted}".`);
  if (other !== undefined)
    throw new Error(
      `Several are called "${wanted}". Give the uuid: ${found.map(({ uuid }) => uuid).join(', ')}`,
    );
  await ask(`${path}/${token.uuid}`, { method: 'DELETE' });
}

export const userToken = defineCommand({
  name: 'user token',
  summary: 'Make, list or revoke the application passwords of a user',
  description: [
    'Programs log in with one (HTTP Basic). A new one is printed once, on standard output alone.',
  ],
  operands: {
    login: { help: 'Name that the user logs in with.' },
    name: { help: 'Name of a new one. Without it, they are listed.', optional: true },
  },
  options: { ...SITE_OPTIONS, revoke: { value: 'NAME', help: 'Remove the one with this name or uuid.' } },
  examples: [
    ['routebook user token ada deploy > token', 'the file holds the password'],
    ['routebook user token ada --revoke deploy', 'it is no longer valid'],
  ],
  async run({ operands: { login, name }, values }) {
    await asOperator(values, async (ask) => {
      const { id, username } = await findUser(ask, login);
      const path = `${USERS}/${id}/application-passwords`;
      if (values.revoke !== undefined) {
        await revoke(ask, path, values.revoke);
        note(`Revoked "${values.revoke}" of ${username}.`);
      }
      if (name !== undefined) {
        const { password = '' } = (await ask(path, { method: 'POST', body: { name } })) as ShownToken;
        note(`The application password "${name}" of ${username}, shown this once:`);
        print(password);
      }
      if (name !== undefined || values.revoke !== undefined) return;
      const tokens = (await ask(path)) as readonly ShownToken[];
      if (tokens.length === 0) note(`${username} has no application passwords.`);
      else
        print(
          toTable([
            ['uuid', 'created', 'last used', 'name'],
            ...tokens.map(({ uuid, created, last_used: used, name: called }) => [
              uuid,
              created,
              used ?? 'never',
              called,
            ]),
          ]),
        );
    });
  },
});
