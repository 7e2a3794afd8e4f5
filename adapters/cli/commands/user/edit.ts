import { own } from '../../../../lib/core/objects.ts';
import { defineCommand } from '../../frame/command.ts';
import { UsageError, type CliOptions } from '../../frame/options.ts';
import { print } from '../../frame/output.ts';
import { asOperator } from '../../site/as-operator.ts';
import { SITE_OPTIONS } from '../../site/site-options.ts';
import { checkSubject, findUser, storeUser, SUBJECT, USERS } from '../../site/users.ts';

/** Fields of a user by option. */
const FIELDS = {
  email: { value: 'ADDRESS', help: 'E-mail address.', field: 'email' },
  name: { value: 'NAME', help: 'Name that is shown.', field: 'name' },
  'first-name': { value: 'NAME', help: 'First name.', field: 'first_name' },
  'last-name': { value: 'NAME', help: 'Last name.', field: 'last_name' },
  nickname: { value: 'NAME', help: 'Nickname.', field: 'nickname' },
  slug: { value: 'SLUG', help: 'Last part of the address of the archive of the user.', field: 'slug' },
  url: { value: 'URL', help: 'Web site of the user.', field: 'url' },
  description: { value: 'TEXT', help: 'A few words about the user.', field: 'description' },
} as const;

const OPTIONS = { ...FIELDS, subject: { ...SUBJECT, help: `${SUBJECT.help} '' removes it.` } } as const;

export const userEdit = defineCommand({
  name: 'user edit',
  summary: 'Change the address, the names or the description of a user',
  description: ['The login cannot be changed.'],
  operands: { login: { help: 'Name that the user logs in with.' } },
  options: { ...SITE_OPTIONS, ...OPTIONS } satisfies CliOptions,
  examples: [['routebook user edit bob --email bob@new.example --name "Bob B"', 'both change']],
  async run({ operands: { login }, values }) {
    const changes = Object.entries(FIELDS).flatMap(([option, { field }]) => {
      const value = own(values, option);
      return value === undefined ? [] : [[field, value] as const];
    });
    const { subject } = values;
    if (changes.length === 0 && subject === undefined)
      throw new UsageError(
        `Nothing to change: give one of ${Object.keys(OPTIONS)
          .map((name) => `--${name}`)
          .join(', ')}`,
      );
    const { username } = await asOperator(values, async (ask, { store }) => {
      const user = await findUser(ask, login);
      if (subject !== undefined) await checkSubject(store, subject, user.id);
      if (changes.length > 0)
        await ask(`${USERS}/${user.id}`, { method: 'PUT', body: Object.fromEntries(changes) });
      if (subject !== undefined) await storeUser(store, user.id, { subject });
      return user;
    });
    const changed = [...changes.map(([field]) => field), ...(subject === undefined ? [] : ['subject'])];
    print(`Changed ${changed.join(', ')} of ${username}.`);
  },
});
