import { defineCommand } from '../command.ts';
import { print } from '../output.ts';
import { asOperator, type Ask } from '../site/as-operator.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { findUser, listUsers, USERS, type ShownUser } from '../site/users.ts';

const ADMINISTRATOR = 'administrator';

/** The interface refuses it without a reason. @throws Error */
async function checkLast(ask: Ask, { username, roles }: ShownUser): Promise<void> {
  if (!roles.includes(ADMINISTRATOR) || (await listUsers(ask, ADMINISTRATOR)).length > 1) return;
  throw new Error(
    `${username} is the last administrator, who cannot be removed. Add another one first: routebook user add LOGIN --role administrator --email ADDRESS`,
  );
}

export const userRemove = defineCommand({
  name: 'user remove',
  summary: 'Remove a user',
  description: [
    'Posts and pages of the user go to the trash and uploads are deleted without --reassign. The last administrator stays.',
  ],
  operands: { login: { help: 'Name that the user logs in with.' } },
  options: {
    ...SITE_OPTIONS,
    reassign: { value: 'LOGIN', help: 'User who gets what the removed one wrote.' },
  },
  async run({ operands: { login }, values }) {
    const { username } = await asOperator(values, async (ask) => {
      const user = await findUser(ask, login);
      await checkLast(ask, user);
      const heir = values.reassign === undefined ? 'false' : (await findUser(ask, values.reassign)).id;
      await ask(`${USERS}/${user.id}?force=true&reassign=${heir}`, { method: 'DELETE' });
      return user;
    });
    print(`Removed ${username}.`);
  },
});
