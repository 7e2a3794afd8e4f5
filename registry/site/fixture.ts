import { checkDocument, withFunctions } from '../../lib/core/check-document.ts';
import { checkOptions, type OptionRules } from '../../lib/core/check-options.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { LANGUAGES } from '../../lib/core/language-code.ts';
import { own } from '../../lib/core/objects.ts';
import { eq, not, type Query } from '../../lib/store/query.ts';
import { StoreError, type Operation, type Store } from '../../lib/store/store.ts';
import { toCredentials } from './fixture-credentials.ts';
import { toOperations } from './fixture-operations.ts';
import { textOf, type Fixture, type Row } from './fixture-rows.ts';
import { ROW_FIELDS, toFixtureRule, toRowRules } from './fixture-rules.ts';
import { SECRETS } from './options.ts';
import { toSiteZone } from './settings.ts';

export type { Fixture } from './fixture-rows.ts';

/** What a fixture is held to. */
export interface FixtureOptions {
  /** The languages of the site, as `createSite` takes them. Without them any code is taken. */
  readonly languages?: readonly string[];
}

const STORE = withFunctions('commit');
const OPTIONS: OptionRules = { languages: LANGUAGES };
/** Language of a site that names none. */
const USUAL_LANGUAGE = 'en';

function toDefaultLanguage(site: Row, languages: readonly string[] = [USUAL_LANGUAGE]): string {
  return textOf(site, 'ml_language') || (languages.includes(USUAL_LANGUAGE) ? USUAL_LANGUAGE : String(languages[0]));
}

function holdToRules(value: unknown, { languages }: FixtureOptions): readonly Operation[] {
  checkDocument('', value, toFixtureRule(languages));
  const fixture = value as Fixture;
  const zone = toSiteZone(fixture.site);
  for (const [list, rule] of Object.entries(toRowRules(zone, languages))) checkDocument(list, own(value as Readonly<Record<string, unknown>>, list) ?? [], rule);
  return toOperations(fixture, { zone, language: toDefaultLanguage(fixture.site, languages) });
}

function readFixture(value: unknown, options: FixtureOptions): readonly Operation[] {
  checkOptions('the options of a fixture', options, OPTIONS);
  try {
    return holdToRules(value, options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`${error.message}; see docs/fixtures.md`, { cause: error });
  }
}

/**
 * Holds a document, such as one that was read from a file, to the format.
 * @throws TypeError naming the place and what would be right: `posts[3].status: "publihs" is not one of publish, …`
 */
export function checkFixture(value: unknown, options: FixtureOptions = {}): asserts value is Fixture {
  readFixture(value, options);
}

/**
 * Writes the content into a store that is empty: in one commit, so that of several processes one does it, and wholly.
 * Slugs are cleaned as a write cleans them, and dates that are not given are made of those that are.
 * @throws TypeError as `checkFixture`, StoreError `unique` when the store holds such records already; nothing is written then
 */
export async function loadFixture(store: Store, fixture: Fixture, options: FixtureOptions = {}): Promise<void> {
  checkDocument('the store of loadFixture', store, STORE);
  const operations = readFixture(fixture, options);
  const credentials = await toCredentials(fixture);
  try {
    await store.commit([...operations, ...credentials]);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
    throw new StoreError('unique', `The store holds content already, and the fixture was not loaded: ${error.message}`, { cause: error, fields: error.fields });
  }
}

/** Where the content of a site shows. What a site makes for itself, on an empty store too, is none. */
const CONTENT: readonly Query[] = [
  { collection: 'options', where: not(eq('group', SECRETS)) },
  ...Object.keys(ROW_FIELDS).map((collection) => ({ collection })),
];

/** Whether nobody has written anything of a site into the store yet. */
export async function isEmptySite(store: Store): Promise<boolean> {
  const found = await Promise.all(CONTENT.map((query) => store.find({ ...query, limit: 1, fields: [] })));
  return found.every(({ records }) => records.length === 0);
}

/** Empties the collections, whatever is in them: with all of the registry, the store is as new. */
export async function clearSite(store: Store, collections: readonly CollectionDescriptor[]): Promise<void> {
  await store.commit(collections.map(({ name }) => ({ op: 'removeAll', collection: name, where: { op: 'gt', field: 'id', value: 0 } })));
}
