import { type Json, type Store, and, eq, oneOf } from '../../../../lib/index.ts';
import type { MoFile, MoMessage } from './mo.ts';
import { pluralForms, readPluralForms } from './plural-forms.ts';
import type { StringScope } from './strings.ts';

type Headers = MoFile['headers'];

const MAX_HEADERS = 40;
const MAX_VALUE = 1000;
const DEFAULT_FORMS = 2;

function toHeaders(value: Json | undefined): Headers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
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
    order: [{ field: 'id', direction: 'desc' }],
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
export async function toMoHeaders(
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
export function fitForms(message: MoMessage, headers: Headers): MoMessage {
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
