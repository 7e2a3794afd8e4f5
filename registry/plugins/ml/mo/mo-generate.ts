import { findFirst, and, desc, eq, type Json, oneOf, type Store } from '../../../../lib/index.ts';
import {
  own,
  type Ports,
  isObject,
  readOption,
  removeOption,
  toWrite,
  withLock,
  writeOption,
} from '../../../plugin.ts';
import { mlError } from '../records/errors.ts';
import { type MoFile, type MoMessage, writeMo } from './mo.ts';
import { pluralForms, readPluralForms } from './plural-forms.ts';
import { ofScope, readStrings, type StringScope } from './strings.ts';

type Headers = MoFile['headers'];

const MAX_HEADERS = 40;
const MAX_VALUE = 1000;
const DEFAULT_FORMS = 2;

function toHeaders(value: Json | undefined): Headers {
  if (!isObject(value)) return {};
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= MAX_VALUE,
  );
  return Object.fromEntries(texts.slice(0, MAX_HEADERS));
}

/** The headers of the file of this scope that was imported last, if possible of one with a valid plural rule. */
async function readImported(store: Store, { domain, locale }: StringScope): Promise<Headers> {
  const where = and(eq('domain', domain), eq('locale', locale), oneOf('state', ['imported', 'partly']));
  const { records } = await store.find({
    collection: 'ml_mo_files',
    where,
    fields: ['headers'],
    order: [desc('id')],
  });
  const all = records.map((record) => toHeaders(record['headers']));
  return all.find((headers) => readPluralForms(headers['plural-forms'] ?? '') !== null) ?? all[0] ?? {};
}

/** The number of forms of the texts with a plural; 0 if there are none, or if the texts differ. */
function countForms(messages: readonly MoMessage[]): number {
  const counts = new Set(
    messages.filter((message) => message.plural !== '').map((message) => message.translations.length),
  );
  return counts.size === 1 ? ([...counts][0] ?? 0) : 0;
}

/** GMT time as gettext writes it. */
const toRevisionDate = (now: number): string =>
  `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')}+0000`;

/**
 * The headers of a generated file: those of the imported file, and the standard headers that it does not have. Without a valid plural
 * rule, the file gets that of CLDR.
 */
async function toMoHeaders(
  store: Store,
  scope: StringScope,
  { messages, now }: { messages: readonly MoMessage[]; now: number },
): Promise<Headers> {
  const { 'plural-forms': plural = '', ...imported } = await readImported(store, scope);
  const standard = {
    'project-id-version': scope.domain,
    'report-msgid-bugs-to': '',
    'po-revision-date': toRevisionDate(now),
    'last-translator': scope.domain,
    'language-team': scope.locale,
    language: scope.locale,
  };
  const given = Object.fromEntries(Object.entries(imported).filter(([, value]) => value !== ''));
  return {
    ...standard,
    ...given,
    'plural-forms':
      readPluralForms(plural) === null ? pluralForms(scope.locale, countForms(messages)) : plural,
    'x-domain': scope.domain,
  };
}

/** The message with as many forms as the rule has: further forms are left out, and missing ones repeat the last one. */
function fitForms(message: MoMessage, headers: Headers): MoMessage {
  const forms =
    message.plural === '' ? 1 : (readPluralForms(headers['plural-forms'] ?? '')?.forms ?? DEFAULT_FORMS);
  const { translations } = message;
  if (translations.length === forms) return message;
  return {
    ...message,
    translations: Array.from(
      { length: forms },
      (_, index) => translations[index] ?? translations.at(-1) ?? '',
    ),
  };
}

/** Limits of one call: number of files, and milliseconds. */
const MAX_FILES = 20;
const MAX_MS = 5000;
const OPTION = ['ml', 'mo_queue'] as const;
const LOCK = 'ml.generate';

const isTask = (value: unknown): value is StringScope =>
  isObject(value) && typeof value['domain'] === 'string' && typeof value['locale'] === 'string';

/** Domains come from file names, but unsafe characters are still replaced before a domain becomes part of a file name. */
const toFileName = ({ domain, locale }: StringScope): string =>
  `${domain.replaceAll(/[^A-Za-z0-9_-]/g, '_')}-${locale.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.mo`;

/** Every domain and locale with strings, and those whose last strings were removed. */
async function listTasks(store: Store): Promise<readonly StringScope[]> {
  const tasks = new Map<string, StringScope>();
  const add = ({ domain, locale }: StringScope): unknown =>
    tasks.set(`${domain} ${locale}`, { domain, locale });
  for await (const records of readStrings(store, and())) {
    for (const { domain, locales } of records) locales.forEach((locale) => add({ domain, locale }));
  }
  const { records } = await store.find({
    collection: 'ml_mo_files',
    where: oneOf('state', ['imported', 'removed']),
    fields: ['domain', 'locale'],
  });
  for (const record of records) add({ domain: String(record['domain']), locale: String(record['locale']) });
  return [...tasks.values()];
}

async function readQueue(store: Store): Promise<readonly StringScope[]> {
  const stored = await readOption(store, ...OPTION);
  const tasks = Array.isArray(stored) ? stored.filter(isTask) : [];
  return tasks.length > 0 ? tasks : listTasks(store);
}

async function toBytes({ store, now, log }: Ports, task: StringScope): Promise<Uint8Array> {
  const messages: MoMessage[] = [];
  for await (const records of readStrings(store, ofScope(task))) {
    for (const { context, msgid: id, plural, translations } of records)
      messages.push({ context, id, plural, translations: own(translations, task.locale) ?? [] });
  }
  const headers = await toMoHeaders(store, task, { messages, now: now() });
  const fitted = messages.map((message) => fitForms(message, headers));
  const count = fitted.filter((message, index) => message !== messages[index]).length;
  if (count > 0)
    log({
      level: 'warn',
      message: `${count} strings of ${toFileName(task)} did not have the number of forms of its plural rule`,
    });
  return writeMo({ headers, messages: fitted });
}

async function keepInStore(store: Store, name: string, bytes: Uint8Array): Promise<void> {
  const known = await findFirst(store, { collection: 'ml_mo_output', where: eq('name', name), fields: [] });
  await store.commit([
    toWrite('ml_mo_output', known && { id: known.id }, {
      name,
      bytes: Buffer.from(bytes).toString('base64'),
    }),
  ]);
}

async function writeFile({ store, files, log }: Ports, name: string, bytes: Uint8Array): Promise<void> {
  if (files === undefined) return keepInStore(store, name, bytes);
  try {
    return await files.write('output', name, bytes);
  } catch (error) {
    log({ level: 'error', message: 'a generated .mo file could not be written', error });
    throw mlError('mo_dir_not_writable', { cause: error });
  }
}

async function writePending(ports: Ports): Promise<number> {
  const { store, now } = ports;
  const until = now() + MAX_MS;
  const queue = [...(await readQueue(store))];
  for (let written = 0; written < MAX_FILES && now() <= until; written += 1) {
    const task = queue.shift();
    if (task === undefined) break;
    await writeFile(ports, toFileName(task), await toBytes(ports, task));
  }
  if (queue.length === 0) await removeOption(store, ...OPTION);
  else
    await writeOption(
      store,
      OPTION,
      queue.map(({ domain, locale }) => ({ domain, locale })),
    );
  return queue.length;
}

/**
 * Writes one .mo file per domain and locale from the table of strings, at most 20 files or 5 seconds per call. A call after
 * the last one starts again. Without a directory of the host, the files are kept in the store.
 * @throws RestError `mo_dir_not_writable`; `locked` while another call is running
 */
export async function generateMoFiles(ports: Ports): Promise<{ readonly remaining: number }> {
  const remaining = await withLock(ports, { name: LOCK }, () => writePending(ports));
  if (remaining === null) throw mlError('locked', { headers: { 'Retry-After': '5' } });
  return { remaining };
}
