import { defineCommand } from '../../frame/command.ts';
import { print } from '../../frame/output.ts';
import { readPassword } from '../../frame/prompt.ts';
import { asOperator } from '../../site/as-operator.ts';
import { SITE_OPTIONS } from '../../site/site-options.ts';
import { findUser, USERS } from '../../site/users.ts';
import { PASSWORD } from './add.ts';

export const userPassword = defineCommand({
  name: 'user password',
  summary: 'Give a user a new password',
  description: ['Application passwords stay as they are.'],
  operands: { login: { help: 'Name that the user logs in with.' } },
  options: { ...SITE_OPTIONS, password: PASSWORD },
  examples: [
    [
      'printf \'%s\' "$PASSWORD" | routebook user password ada --store file:/srv/site',
      'takes it from a variable',
    ],
  ],
  async run({ operands: { login }, values }) {
    const { username } = await asOperator(values, async (ask) => {
      const user = await findUser(ask, login);
      await ask(`${USERS}/${user.id}`, {
        method: 'PUT',
        body: { password: await readPassword(values.password) },
      });
      return user;
    });
    print(`Changed the password of ${username}.`);
  },
});
