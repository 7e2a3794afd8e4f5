import {
  findFirst,
  and,
  eq,
  gte,
  lt,
  not,
  oneOf,
  type Operation,
  or,
  type Predicate,
  type StoredRecord,
  type Values,
} from '../../../../lib/index.ts';
import {
  countRecords,
  type Files,
  type Ports,
  pause,
  sha256,
  toUpdate,
  toWrite,
  withLock,
} from '../../../plugin.ts';
import { readMo, type MoFile, type MoMessage } from './mo.ts';
import { forgetStrings, toHash, toStringOperations, type StringScope } from './strings.ts';

/** Names of the components whose .mo files are read, by directory. */
interface Components {
  readonly plugins: readonly string[];
  readonly themes: readonly string[];
  readonly other: readonly string[];
}

/** Limits of one call: number of strings, and milliseconds. The rest waits for the next call. */
const MAX_STRINGS = 20_000;
const MAX_MS = 10_000;
const SLICE = 250;
/** Maximum size of a .mo file in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;
// `plugins/shop/languages/shop-fr_FR.mo`, `themes/plain/fr_FR.mo`: a file without a domain in its name has the component as its domain.
const FILE =
  /^(?:plugins|themes|other)\/([^/]+)\/(?:[^/]+\/)?(?:([A-Za-z0-9._-]+)-)?([a-z]{2,3}(?:_[A-Z][A-Za-z]{1,3})?(?:_[a-z]+)?)\.mo$/;

const LOCK = 'ml.import';
const PENDING: Predicate = oneOf('state', ['pending', 'partly']);

const toPrefixes = ({ plugins, themes, other }: Components): readonly string[] =>
  [['plugins', plugins] as const, ['themes', themes] as const, ['other', other] as const].flatMap(
    ([directory, names]) => names.map((name) => `${directory}/${name}/`),
  );

const setFile = ({ id }: StoredRecord, values: Values): Operation => toUpdate('ml_mo_files', { id }, values);

const toScope = (record: StoredRecord): StringScope => ({
  domain: String(record['domain']),
  locale: String(record['locale']),
});

const toTranslated = ({ messages }: MoFile): readonly MoMessage[] =>
  messages.filter((message) => message.translations.some((text) => text !== ''));

/** Removes the strings of a scope that none of its files contains any more. Nothing is removed while one of the files cannot be read. */
async function sweep(ports: Ports, files: Files, scope: StringScope): Promise<void> {
  const where = and(eq('domain', scope.domain), eq('locale', scope.locale), not(eq('state', 'removed')));
  const { records } = await ports.store.find({ collection: 'ml_mo_files', where, fields: ['name'] });
  const kept = new Set<string>();
  for (const record of records) {
    const file = await readFile(ports, files, String(record['name']));
    if (file === null) return;
    for (const message of toTranslated(file)) kept.add(toHash(scope.domain, message));
    await pause();
  }
  await forgetStrings(ports.store, scope, kept);
}

/** Marks the files below the prefix that do not exist any more, and removes their strings. */
async function removeMissing(
  ports: Ports,
  files: Files,
  { prefix, names }: { prefix: string; names: readonly string[] },
): Promise<void> {
  const { store } = ports;
  const where = and(startsWith(prefix), not(eq('state', 'removed')));
  const { records } = await store.find({
    collection: 'ml_mo_files',
    where,
    fields: ['name', 'domain', 'locale'],
  });
  for (const record of records.filter((each) => !names.includes(String(each['name'])))) {
    await store.commit([setFile(record, { state: 'removed', hash: '' })]);
    await sweep(ports, files, toScope(record));
  }
}

/** Registers the files of the components. A file that has changed is read again. */
async function registerFiles(ports: Ports, files: Files, prefixes: readonly string[]): Promise<void> {
  const { store } = ports;
  for (const prefix of prefixes) {
    const names = (await files.list('locales', prefix)).filter((name) => FILE.test(name));
    const { records } = await store.find({ collection: 'ml_mo_files', where: oneOf('name', names) });
    const known = new Map(records.map((record) => [String(record['name']), record]));
    const changes: Operation[] = [];
    for (const name of names) {
      const change = await registerFile(files, name, known.get(name));
      if (change !== null) changes.push(change);
    }
    if (changes.length > 0) await store.commit(changes);
    await removeMissing(ports, files, { prefix, names });
  }
}

async function readBytes(files: Files, name: string): Promise<Uint8Array> {
  try {
    return (await files.read('locales', name, MAX_BYTES)) ?? new Uint8Array();
  } catch {
    // The file is registered anyway. Importing it reports that it cannot be read.
    return new Uint8Array();
  }
}

async function registerFile(
  files: Files,
  name: string,
  known: StoredRecord | undefined,
): Promise<Operation | null> {
  const [, component = '', domain = component, locale = ''] = FILE.exec(name) ?? [];
  const hash = sha256(await readBytes(files, name));
  if (known?.['hash'] === hash) return null;
  const values = { name, domain, locale, hash, state: 'pending', cursor: 0, total: 0 };
  return toWrite('ml_mo_files', known && { id: known.id }, values);
}

/** null: a file that cannot be read is skipped. */
async function readFile(ports: Ports, files: Files, name: string): Promise<MoFile | null> {
  try {
    const bytes = await files.read('locales', name, MAX_BYTES);
    return bytes === null ? null : readMo(bytes);
  } catch (error) {
    ports.log({ level: 'warn', message: `the .mo file ${name} was skipped`, error });
    return null;
  }
}

interface Budget {
  strings: number;
  readonly until: number;
}

/** Imports as much of a file as the budget allows. Each slice is one commit together with the new position. @returns whether the file is complete */
async function importFile(
  ports: Ports,
  record: StoredRecord,
  { file, budget }: { file: MoFile; budget: Budget },
): Promise<boolean> {
  const scope = toScope(record);
  const messages = toTranslated(file);
  for (let cursor = Number(record['cursor']); ;) {
    const slice = messages.slice(cursor, cursor + Math.min(SLICE, budget.strings));
    cursor += slice.length;
    budget.strings -= slice.length;
    const state = cursor >= messages.length ? 'imported' : 'partly';
    await ports.store.commit([
      ...(await toStringOperations(ports.store, slice, scope)),
      setFile(record, { cursor, total: messages.length, state, headers: file.headers }),
    ]);
    // Lets other requests run between two slices.
    await pause();
    if (state === 'imported' || budget.strings <= 0 || ports.now() > budget.until)
      return state === 'imported';
  }
}

const countPending = ({ store }: Ports, where: Predicate): Promise<number> =>
  countRecords(store, { collection: 'ml_mo_files', where });

/** Result of a call. `total`, `remaining`: number of files to read before and after it. */
interface ImportProgress {
  readonly total: number;
  readonly remaining: number;
  readonly scan_message: string;
}

const toProgress = (total: number, remaining: number): ImportProgress => ({
  total,
  remaining,
  scan_message: 'Importing strings from .mo files: %s remaining',
});

const startsWith = (prefix: string): Predicate =>
  and(gte('name', prefix), lt('name', `${prefix.slice(0, -1)}0`));

async function importPending(ports: Ports, files: Files, where: Predicate): Promise<void> {
  const budget: Budget = { strings: MAX_STRINGS, until: ports.now() + MAX_MS };
  while (budget.strings > 0 && ports.now() <= budget.until) {
    const record = await findFirst(ports.store, { collection: 'ml_mo_files', where });
    if (record === undefined) return;
    const file = await readFile(ports, files, String(record['name']));
    if (file !== null && (await importFile(ports, record, { file, budget })))
      await sweep(ports, files, toScope(record));
    if (file === null) await ports.store.commit([setFile(record, { state: 'skipped' })]);
  }
}

/**
 * Imports .mo files of the named components into the table of strings, at most 20,000 strings or 10 seconds per call.
 * Nothing is imported when no component is named. While another import is running, the response reports its remaining files.
 */
export async function importMoStrings(ports: Ports, components: Components): Promise<ImportProgress> {
  const { files } = ports;
  const prefixes = toPrefixes(components);
  if (files === undefined || prefixes.length === 0) return toProgress(0, 0);
  const where = and(PENDING, or(...prefixes.map(startsWith)));
  const progress = await withLock(ports, { name: LOCK, ttlMs: 2 * MAX_MS }, async () => {
    await registerFiles(ports, files, prefixes);
    const total = await countPending(ports, where);
    await importPending(ports, files, where);
    return toProgress(total, await countPending(ports, where));
  });
  if (progress !== null) return progress;
  const left = await countPending(ports, where);
  return toProgress(left, left);
}
