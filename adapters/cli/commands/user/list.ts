import { ROLES } from '../../../../registry/site.ts';
import { defineCommand } from '../../frame/command.ts';
import { toWord } from '../../frame/options.ts';
import { note, print, printJson, toTable } from '../../frame/output.ts';
import { asOperator } from '../../site/as-operator.ts';
import { SITE_OPTIONS } from '../../site/site-options.ts';
import { listUsers } from '../../site/users.ts';

export const userList = defineCommand({
  name: 'user list',
  summary: 'List the users of a site',
  operands: {},
  options: {
    ...SITE_OPTIONS,
    role: { value: 'ROLE', help: 'Only users with this role.' },
    json: { help: 'Print JSON.' },
  },
  async run({ values }) {
    const role = values.role === undefined ? undefined : toWord('--role', values.role, Object.keys(ROLES));
    const users = await asOperator(values, (ask) => listUsers(ask, role));
    if (values.json)
      printJson(users.map(({ id, username, name, email, roles }) => ({ id, username, name, email, roles })));
    else if (users.length === 0)
      note(role === undefined ? 'The site has no users.' : `No user has the role ${role}.`);
    else
      print(
        toTable([
          ['id', 'login', 'roles', 'email', 'name'],
          ...users.map(({ id, username, name, email, roles }) => [
            String(id),
            username,
            roles.join(','),
            email,
            name,
          ]),
        ]),
      );
  },
});
