import { defined } from '../../../lib/core/objects.ts';
import { createRequest, findFirst, type Store } from '../../../lib/index.ts';
import { equalsFolded } from '../../../lib/store/query.ts';
import { ROLES } from '../../../registry/site.ts';
import { defineCommand } from '../frame/command.ts';
import { type CliOptions, toWord, UsageError } from '../frame/options.ts';
import { JSON_SWITCH, note, print, printJson } from '../frame/output.ts';
import { readPassword } from '../frame/prompt.ts';
import { asOperator, toRefusal } from '../site/as-operator.ts';
import { checkTranslates, PAIRS_FORM, toPairs } from '../site/languages.ts';
import { withEmptySite } from '../site/memory-site.ts';
import { isMissing } from '../site/open-store.ts';
import { readSite } from '../site/read-site.ts';
import { SITE_OPTIONS, type SiteValues } from '../site/site-options.ts';
import {
  checkSubject,
  findDemoLogins,
  type ShownUser,
  storeUser,
  SUBJECT,
  toPrinted,
  toSubject,
  USERS,
} from '../site/users.ts';
import { withStore } from '../site/with-store.ts';

/** The password of a user, as several commands take it. */
export const PASSWORD = {
  value: 'PASSWORD',
  help: 'Password, visible in the list of processes. Default: asked for, or read from standard input.',
} as const;

const BAD_REQUEST = 400;

/** Checks the values before a password is asked for. An empty site has the same rules, but does not know which logins are taken. @throws Error */
export async function checkUser(values: SiteValues, body: Readonly<Record<string, unknown>>): Promise<void> {
  await withEmptySite({ ...values, content: 'core' }, async ({ engine }) => {
    const response = await engine.dispatch(
      createRequest(USERS, { method: 'POST', body: { ...body, password: 'any' } }),
    );
    // Valid values get 401 there, because nobody has logged in.
    if (response.status === BAD_REQUEST) throw toRefusal(response.body);
  });
}

async function hasUser(store: Store, field: 'login' | 'email', text: string): Promise<boolean> {
  const where = equalsFolded(field, text.trim());
  return (await findFirst(store, { collection: 'users', where, fields: [] })) !== undefined;
}

/** The store is closed again while the password is typed, so that others can use it. @throws Error for a login or an address that a user has */
async function checkFree(values: SiteValues, login: string, email: string): Promise<void> {
  if (isMissing(values.store)) return;
  await withStore(values, async ({ store }) => {
    const demo = await findDemoLogins(store);
    if (demo.length > 0)
      note(
        `note: this store holds the demo site, and everybody knows the password of ${demo.map((each) => each.login).join(', ')}. For your own site, begin with an empty one: routebook init DIRECTORY`,
      );
    if (await hasUser(store, 'login', login))
      throw new Error(
        `There is a user "${login}" already. "routebook user password ${login}" changes the password.`,
      );
    if (await hasUser(store, 'email', email))
      throw new Error(`--email "${email}": a user of the site has this address already.`);
  });
}

/** @throws UsageError for pairs that the site or the role cannot have */
async function readPairs(
  values: SiteValues & { readonly pairs: string | undefined },
  login: string,
  roles: readonly string[],
): Promise<readonly string[]> {
  if (values.pairs === undefined) return [];
  const pairs = toPairs('--pairs', values.pairs, await readSite(values));
  checkTranslates(login, roles);
  return pairs;
}

export const userAdd = defineCommand({
  description: ['A new store is made if there is none. A site with a user is not filled with the demo.'],
  operands: { login: { help: 'Name to log in with.' } },
  options: {
    ...SITE_OPTIONS,
    role: { value: 'ROLE', help: `Required: ${Object.keys(ROLES).join(', ')}.` },
    email: { value: 'ADDRESS', help: 'Required: e-mail address.' },
    name: { value: 'NAME', help: 'Name that is shown. Default: the login.' },
    subject: SUBJECT,
    pairs: { value: 'PAIRS', help: `${PAIRS_FORM} Default: none.` },
    password: PASSWORD,
    json: JSON_SWITCH,
  } satisfies CliOptions,
  examples: [
    ['routebook user add ada --role administrator --email ada@site.example', 'asks for the password'],
    [
      'routebook user add theo --role translator --email theo@site.example --pairs en:fr,en:de',
      'can be given translations from English',
    ],
  ],
  async run({ operands: { login }, values }) {
    const { role, email, name } = values;
    const subject = values.subject === undefined ? undefined : toSubject(values.subject);
    if (role === undefined)
      throw new UsageError(`--role is missing: one of ${Object.keys(ROLES).join(', ')}`);
    if (email === undefined) throw new UsageError('--email is missing: an e-mail address');
    const roles = [toWord('--role', role, Object.keys(ROLES))];
    const given = defined({ username: login, email, roles, name });
    const pairs = await readPairs(values, login, roles);
    await checkUser(values, given);
    await checkFree(values, login, email);
    const body = { ...given, password: await readPassword(values.password) };
    const user = await asOperator(
      values,
      async (ask, { store }) => {
        if (subject !== undefined) await checkSubject(store, subject);
        const added = (await ask(USERS, { method: 'POST', body })) as ShownUser;
        const stored = defined({ language_pairs: pairs.length === 0 ? undefined : pairs, subject });
        if (Object.keys(stored).length > 0) await storeUser(store, added.id, stored);
        return added;
      },
      { creates: true },
    );
    if (values.json) printJson(toPrinted(user));
    else print(`Added ${user.username} with the role ${role} (id ${user.id}).`);
  },
});
