import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../../lib/index.ts';
import { isEmptySite } from '../../../registry/site.ts';
import { defineCommand } from '../frame/command.ts';
import { type CliOptions, UsageError } from '../frame/options.ts';
import { note, print } from '../frame/output.ts';
import { type Answers, openAnswers } from '../frame/prompt.ts';
import { type Ask, asOperator } from '../site/as-operator.ts';
import { readLanguageOptions } from '../site/languages.ts';
import { isMissing } from '../site/open-store.ts';
import { askSettings } from '../site/settings.ts';
import { CONFIG_FILE } from '../site/site-config.ts';
import { USERS } from '../site/users.ts';
import { withStore } from '../site/with-store.ts';
import { checkUser, PASSWORD } from './user-add.ts';

/** Bytes of a generated password, as random as an application password. */
const PASSWORD_BYTES = 18;

const OPTIONS = {
  store: { value: 'STORE', help: 'file:DIRECTORY or postgres://…. Default: data in the directory.' },
  name: { value: 'NAME', help: 'Title of the site. Default: asked for, or else My site.' },
  languages: {
    value: 'CODES',
    help: 'Languages, the default one first, separated by commas: en,fr. Default: asked for, or else en.',
  },
  admin: { value: 'LOGIN', help: 'Login of the administrator. Default: asked for, or else admin.' },
  email: { value: 'ADDRESS', help: 'E-mail address of the administrator. Default: asked for.' },
  password: {
    ...PASSWORD,
    help: `${PASSWORD.help} If nothing is given, one is made and printed once.`,
  },
} as const satisfies CliOptions;

/** What was asked for. */
interface Answered {
  readonly name: string;
  readonly languages: string;
  readonly login: string;
  readonly email: string;
}

type Given = Readonly<Partial<Record<keyof typeof OPTIONS, string>>>;

async function askAll({ ask }: Answers, given: Given): Promise<Answered> {
  const answer = async (value: string | undefined, question: string, otherwise: string): Promise<string> =>
    value ?? ((await ask(`${question}${otherwise === '' ? '' : ` [${otherwise}]`}: `)) || otherwise);
  return {
    name: await answer(given.name, 'Title of the site', 'My site'),
    languages: await answer(given.languages, 'Languages, the default one first', 'en'),
    login: await answer(given.admin, 'Login of the administrator', 'admin'),
    email: await answer(given.email, 'E-mail address of the administrator', ''),
  };
}

/** @throws Error if the store has content or users */
async function checkUnused(store: Store, address: string): Promise<void> {
  if (!(await isEmptySite(store)))
    throw new Error(`--store "${address}" holds a site already. Name another directory or store`);
}

/** What WordPress has in a new site, too: its title, and the category of posts without one. */
async function makeFirst(ask: Ask, language: string, title: string): Promise<void> {
  const body = { name: 'Uncategorized' };
  const { id } = (await ask('/cms/v2/categories', { method: 'POST', language, body })) as {
    readonly id: number;
  };
  await askSettings(ask, language, { title, default_category: id });
}

const isThere = (file: string): Error =>
  new Error(`${file} is there already, and is not overwritten: the directory holds a site`);

/** Writes the file, and removes it again if the rest fails. @throws Error if it is there already */
async function withConfig<T>(file: string, document: unknown, run: () => Promise<T>): Promise<T> {
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`, { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? isThere(file) : error;
    },
  );
  try {
    return await run();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

export const init = defineCommand({
  description: [
    `Asks for what the options do not give. Writes ${CONFIG_FILE}, which the other commands read. Nothing is overwritten.`,
    'Without a terminal, the answers are the lines of standard input in the order of the options.',
  ],
  operands: {
    directory: { help: 'Directory of the site, made if it is not there. Default: this one.', optional: true },
  },
  options: OPTIONS,
  examples: [
    ['routebook init my-site', 'asks, and prints how to start the site'],
    [
      'routebook init --name Library --languages en,fr --admin ada --email ada@site.example </dev/null',
      'asks nothing, and prints the password',
    ],
  ],
  async run({ operands: { directory = '.' }, values }) {
    const [file, store] = [join(directory, CONFIG_FILE), values.store ?? `file:${join(directory, 'data')}`];
    if (existsSync(file)) throw isThere(file);
    const answers = await openAnswers();
    const { name, languages, login, email } = await askAll(answers, values as Given);
    const choice = { languages, prefixes: undefined, 'default-language': undefined };
    const { languages: codes } = readLanguageOptions(choice);
    const site = { ...choice, store, content: 'core', plugins: undefined, config: file };
    const body = { username: login, email, roles: ['administrator'] };
    if (email === '') throw new UsageError('--email is missing: an e-mail address');
    await mkdir(directory, { recursive: true });
    const made = await withConfig(file, { languages: codes, content: { core: true } }, async () => {
      await checkUser(site, body);
      if (!isMissing(store)) await withStore(site, (opened) => checkUnused(opened.store, store));
      const typed = values.password ?? (await answers.askPassword('Password, or nothing to have one made: '));
      const password = typed === '' ? randomBytes(PASSWORD_BYTES).toString('base64url') : typed;
      await asOperator(
        site,
        async (ask) => {
          await ask(USERS, { method: 'POST', body: { ...body, password } });
          for (const language of codes ?? []) await makeFirst(ask, language, name);
        },
        { creates: true },
      );
      return typed === '' ? password : null;
    });
    if (made !== null) note('note: the password is shown this once.');
    print(
      [
        `Made the site "${name}" with the administrator ${login}${made === null ? '' : `, whose password is ${made}`}.`,
        `Start it:    ${directory === '.' ? '' : `cd ${directory} && `}routebook serve${values.store === undefined ? '' : ` --store ${values.store}`}`,
      ].join('\n'),
    );
  },
});
