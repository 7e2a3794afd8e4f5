import { ROLES } from '../../../registry/index.ts';
import { defineCommand } from '../command.ts';
import { toWord, UsageError, type CliOptions } from '../options.ts';
import { print, printJson } from '../output.ts';
import { readPassword } from '../prompt.ts';
import { asOperator } from '../site/as-operator.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import { USERS, type ShownUser } from '../site/users.ts';

/** The password of a user, as several commands take it. */
export const PASSWORD = { value: 'PASSWORD', help: 'Password. Other users of the machine can see it in the list of processes; without it, it is asked for at the terminal, or read from standard input.' } as const;

export const userAdd = defineCommand({
  name: 'user add',
  summary: 'Add a user who can log in',
  description: ['The store is created if it does not exist. A site with a user is not filled with the demo.'],
  operands: { login: { help: 'Name to log in with.' } },
  options: {
    ...SITE_OPTIONS,
    role: { value: 'ROLE', help: `Required: ${Object.keys(ROLES).join(', ')}.` },
    email: { value: 'ADDRESS', help: 'Required: e-mail address.' },
    name: { value: 'NAME', help: 'Name that is shown. Default: the login.' },
    password: PASSWORD,
    json: { help: 'Print the user as JSON.' },
  } satisfies CliOptions,
  examples: [['routebook user add ada --role administrator --email ada@site.example', 'asks for the password']],
  async run({ operands: { login }, values }) {
    const { role, email, name } = values;
    if (role === undefined) throw new UsageError(`--role is missing: one of ${Object.keys(ROLES).join(', ')}`);
    if (email === undefined) throw new UsageError('--email is missing: an e-mail address');
    const roles = [toWord('role', role, Object.keys(ROLES))];
    const password = await readPassword(values.password);
    const body = { username: login, email, password, roles, ...(name === undefined ? {} : { name }) };
    const user = await asOperator(values, (ask) => ask(USERS, { method: 'POST', body }), { creates: true }) as ShownUser;
    if (values.json) printJson({ id: user.id, username: user.username, name: user.name, email: user.email, roles: user.roles });
    else print(`Added ${user.username} with the role ${role} (id ${user.id}).`);
  },
});
