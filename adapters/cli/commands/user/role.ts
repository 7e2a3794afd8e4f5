import { ROLES } from '../../../../registry/site.ts';
import { defineCommand } from '../../frame/command.ts';
import { splitList, toWord } from '../../frame/options.ts';
import { note, print } from '../../frame/output.ts';
import { asOperator } from '../../site/as-operator.ts';
import { SITE_OPTIONS } from '../../site/site-options.ts';
import { checkLast, findUser, USERS } from '../../site/users.ts';

/** In place of roles. */
const NONE = 'none';
const NAMES = Object.keys(ROLES);

export const userRole = defineCommand({
  name: 'user role',
  summary: 'Show or change the roles of a user',
  operands: {
    login: { help: 'Name that the user logs in with.' },
    roles: {
      help: `Roles that replace those of the user, separated by commas; ${NONE} removes all. Without it, they are shown.`,
      optional: true,
    },
  },
  options: SITE_OPTIONS,
  examples: [['routebook user role bob editor', 'bob is an editor, and nothing else']],
  async run({ operands: { login, roles: text }, values }) {
    const roles =
      text === undefined || text === NONE ? [] : splitList(text).map((each) => toWord('ROLES', each, NAMES));
    await asOperator(values, async (ask) => {
      const user = await findUser(ask, login);
      if (text === undefined) {
        if (user.roles.length === 0) note(`${user.username} has no role.`);
        else print(user.roles.join('\n'));
        return;
      }
      if (!roles.includes('administrator')) await checkLast(ask, user);
      await ask(`${USERS}/${user.id}`, { method: 'PUT', body: { roles } });
      print(
        roles.length === 0
          ? `${user.username} has no role now.`
          : `${user.username} now has the role ${roles.join(', ')}.`,
      );
    });
  },
});
