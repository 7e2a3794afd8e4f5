import { own } from '../../../lib/core/objects.ts';
import { and, eq, not, oneOf, type Store } from '../../../lib/index.ts';
import { type ContentDefinition, createContentModel, ROLES } from '../../../registry/site.ts';
import { defineCommand } from '../frame/command.ts';
import { type CliOptions, splitList, toWord, UsageError } from '../frame/options.ts';
import { JSON_SWITCH, note, print, printJson, toTable } from '../frame/output.ts';
import { readPassword } from '../frame/prompt.ts';
import { type Ask, asOperator } from '../site/as-operator.ts';
import { checkTranslates, listPairs, PAIRS_FORM, toPairs } from '../site/languages.ts';
import { SITE_OPTIONS } from '../site/site-options.ts';
import {
  checkLast,
  checkSubject,
  findUser,
  listUsers,
  storeUser,
  SUBJECT,
  toPrinted,
  toSubject,
  USERS,
} from '../site/users.ts';
import { PASSWORD } from './user-add.ts';

export const userList = defineCommand({
  operands: {},
  options: {
    ...SITE_OPTIONS,
    role: { value: 'ROLE', help: 'Only users with this role.' },
    json: JSON_SWITCH,
  },
  async run({ values }) {
    const role = values.role === undefined ? undefined : toWord('--role', values.role, Object.keys(ROLES));
    const users = await asOperator(values, (ask) => listUsers(ask, role));
    if (values.json) printJson(users.map(toPrinted));
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
  description: ['The login cannot be changed.'],
  operands: { login: { help: 'Name that the user logs in with.' } },
  options: { ...SITE_OPTIONS, ...OPTIONS } satisfies CliOptions,
  examples: [['routebook user edit bob --email bob@new.example --name "Bob B"', 'both change']],
  async run({ operands: { login }, values }) {
    const changes = Object.entries(FIELDS).flatMap(([option, { field }]) => {
      const value = own(values, option);
      return value === undefined ? [] : [[field, value] as const];
    });
    const subject = values.subject === undefined ? undefined : toSubject(values.subject);
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

/** In place of pairs. */
const NONE = 'none';

export const userPairs = defineCommand({
  description: ['Translators see and take the jobs of their pairs.'],
  operands: {
    login: { help: 'Name that the user logs in with.' },
    pairs: {
      help: `${PAIRS_FORM} ${NONE} removes all. Without it, they are shown.`,
      optional: true,
    },
  },
  options: SITE_OPTIONS,
  examples: [
    ['routebook user pairs theo en:fr,en:de', 'theo translates from English into French and German'],
  ],
  async run({ operands: { login, pairs: text }, values }) {
    await asOperator(values, async (ask, { store, languages }) => {
      const { id, username, roles } = await findUser(ask, login);
      if (text === undefined) {
        const pairs = await listPairs(store, id);
        if (pairs.length === 0) note(`${username} has no language pairs.`);
        else print(pairs.join('\n'));
        return;
      }
      const pairs = text === NONE ? [] : toPairs('PAIRS', text, { languages });
      if (pairs.length > 0) checkTranslates(username, roles);
      await storeUser(store, id, { language_pairs: pairs });
      print(
        pairs.length === 0
          ? `${username} has no language pairs now.`
          : `${username} now translates ${pairs.join(', ')}.`,
      );
    });
  },
});

const NAMES = Object.keys(ROLES);

export const userRole = defineCommand({
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

export const userPassword = defineCommand({
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

/** What the user wrote: `5 posts, 2 pages, 3 media`; empty for nothing. What is in the trash does not count. */
async function countWritten(store: Store, content: ContentDefinition, user: number): Promise<string> {
  const counts: string[] = [];
  for (const { name, base, storage } of createContentModel({ ...content, core: true }).types.values()) {
    const ofType =
      storage === 'media' ? [] : [eq('type', name), not(oneOf('status', ['trash', 'auto-draft']))];
    const where = and(eq('author', user), ...ofType);
    const { total } = await store.find({ collection: storage, where, limit: 0, fields: [], total: true });
    if (total > 0) counts.push(`${total} ${base}`);
  }
  return counts.join(', ');
}

export const userRemove = defineCommand({
  description: ['A user who wrote something needs one of the two options. The last administrator stays.'],
  operands: { login: { help: 'Name that the user logs in with.' } },
  options: {
    ...SITE_OPTIONS,
    reassign: { value: 'LOGIN', help: 'User who gets what the removed one wrote.' },
    'delete-content': {
      help: 'Move posts and pages of the user to the trash, and delete records of other types and uploads.',
    },
  },
  async run({ operands: { login }, values }) {
    const { reassign, 'delete-content': deletes } = values;
    if (reassign !== undefined && deletes)
      throw new UsageError('--reassign and --delete-content exclude each other');
    await asOperator(values, async (ask, { store, content }) => {
      const user = await findUser(ask, login);
      await checkLast(ask, user);
      const written = await countWritten(store, content, user.id);
      if (written !== '' && reassign === undefined && !deletes)
        throw new UsageError(
          `${user.username} wrote ${written}. Say who gets it (--reassign LOGIN), or that it is to be removed (--delete-content)`,
        );
      const heir = reassign === undefined ? undefined : await findUser(ask, reassign);
      await ask(`${USERS}/${user.id}?force=true&reassign=${heir?.id ?? 'false'}`, { method: 'DELETE' });
      const what =
        written === ''
          ? ''
          : heir === undefined
            ? ` ${written}: removed.`
            : ` ${heir.username} has ${written} more.`;
      print(`Removed ${user.username}.${what}`);
    });
  },
});

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
