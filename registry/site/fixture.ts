import { checkDocument, findFaults, withFunctions } from '../../lib/core/check-document.ts';
import { ANY, checkOptions, type OptionRules } from '../../lib/core/check-options.ts';
import { LANGUAGES } from '../../lib/core/language-code.ts';
import { isObject, own } from '../../lib/core/objects.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { and, eq, not, or, type Query } from '../../lib/store/query.ts';
import { StoreError, type Operation, type Store } from '../../lib/store/store.ts';
import { INDEXED } from '../cms/sync-meta-index.ts';
import {
  createContentModel,
  joinContent,
  type ContentModel,
  type ContentOption,
} from '../model/content-model.ts';
import { readContent } from '../model/read-content.ts';
import { toCredentials } from './fixture-credentials.ts';
import { toOperations } from './fixture-operations.ts';
import { textOf, toSiteOptions, type Fixture, type Row } from './fixture-rows.ts';
import { ROW_FIELDS, toFixtureRule, toRowRules } from './fixture-rules.ts';
import { SECRETS } from './options.ts';
import { toSiteZone } from './settings.ts';

export type { Fixture } from './fixture-rows.ts';

/** What a fixture is checked against. */
export interface FixtureOptions {
  /** The languages of the site, as passed to `createSite`. If absent, any code is accepted. */
  readonly languages?: readonly string[];
  /** The content of the site, as passed to `createSite`. The `registered` member of the fixture is added to it. */
  readonly content?: ContentOption;
}

const STORE = withFunctions('commit');
const OPTIONS: OptionRules = { languages: LANGUAGES, content: ANY };
/** Language of a site that does not have one. */
const USUAL_LANGUAGE = 'en';

function toDefaultLanguage(site: Row, languages: readonly string[] = [USUAL_LANGUAGE]): string {
  return (
    textOf(site, 'ml_language') ||
    (languages.includes(USUAL_LANGUAGE) ? USUAL_LANGUAGE : String(languages[0]))
  );
}

/** The model of the site together with what the fixture registers. @throws TypeError */
function readModel(value: unknown, content: ContentOption | undefined): ContentModel {
  const registered = isObject(value) ? own(value, 'registered') : undefined;
  return createContentModel(
    registered === undefined ? content : joinContent(content, readContent('registered', registered)),
  );
}

/** Most mistakes that are listed of one document. */
const MOST_FAULTS = 100;

/** Yields the mistakes of the document itself, then those of its rows. */
function* findAllFaults(
  value: unknown,
  languages: readonly string[] | undefined,
  model: ContentModel,
): Generator<string> {
  let isFit = true;
  for (const fault of findFaults('', value, toFixtureRule(languages, model))) {
    isFit = false;
    yield fault;
  }
  if (!isFit) return;
  const zone = toSiteZone(toSiteOptions(value as Fixture));
  for (const [list, rule] of Object.entries(toRowRules(zone, languages, model)))
    yield* findFaults(list, own(value as Readonly<Record<string, unknown>>, list) ?? [], rule);
}

/** The mistakes of a document with their places, 100 at most. Those between rows, such as a slug that two of them have, are only found where there are no others. */
export function listFixtureFaults(value: unknown, { languages, content }: FixtureOptions): readonly string[] {
  try {
    const faults: string[] = [];
    for (const fault of findAllFaults(value, languages, readModel(value, content)))
      if (faults.push(fault) === MOST_FAULTS) return faults;
    if (faults.length === 0)
      readFixture(value, {
        ...(languages === undefined ? {} : { languages }),
        ...(content === undefined ? {} : { content }),
      });
    return faults;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return [error.message];
  }
}

/** The operations that write a document into an empty store, without passwords. @throws TypeError as `checkFixture` */
export function toFixtureOperations(
  value: unknown,
  { languages, model }: { languages: readonly string[] | undefined; model: ContentModel },
): readonly Operation[] {
  checkDocument('', value, toFixtureRule(languages, model));
  const fixture = value as Fixture;
  const zone = toSiteZone(toSiteOptions(fixture));
  for (const [list, rule] of Object.entries(toRowRules(zone, languages, model)))
    checkDocument(list, own(value as Readonly<Record<string, unknown>>, list) ?? [], rule);
  return toOperations(fixture, {
    zone,
    content: model,
    language: toDefaultLanguage(fixture.site, languages),
  });
}

function readFixture(value: unknown, options: FixtureOptions): readonly Operation[] {
  checkOptions('the options of a fixture', options, OPTIONS);
  try {
    return toFixtureOperations(value, {
      languages: options.languages,
      model: readModel(value, options.content),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`${error.message}; see docs/fixtures.md`, { cause: error });
  }
}

/**
 * Validates a document, such as one read from a file.
 * @throws TypeError with the place and the expected value: `posts[3].status: "publihs" is not one of publish, …`
 */
export function checkFixture(value: unknown, options: FixtureOptions = {}): asserts value is Fixture {
  readFixture(value, options);
}

/**
 * Writes the content into an empty store in one commit: if several processes do so at the same time, only one succeeds.
 * Slugs are normalised as by a write, and missing dates are derived from the given ones.
 * @throws TypeError as `checkFixture`, StoreError `unique` if the store has such records already; nothing is written then
 */
export async function loadFixture(
  store: Store,
  fixture: Fixture,
  options: FixtureOptions = {},
): Promise<void> {
  checkDocument('the store of loadFixture', store, STORE);
  const operations = readFixture(fixture, options);
  const credentials = await toCredentials(fixture);
  try {
    await store.commit([...operations, ...credentials]);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
    throw new StoreError(
      'unique',
      `The store already has content; the fixture was not loaded: ${error.message}`,
      { cause: error, fields: error.fields },
    );
  }
}

/** Records that count as content. Records that a site creates at its start, even on an empty store, do not. */
const CONTENT: readonly Query[] = [
  {
    collection: 'options',
    where: and(not(eq('group', SECRETS)), or(not(eq('group', INDEXED[0])), not(eq('key', INDEXED[1])))),
  },
  ...Object.keys(ROW_FIELDS).map((collection) => ({ collection })),
];

/** Whether no content has been written into the store yet. */
export async function isEmptySite(store: Store): Promise<boolean> {
  const found = await Promise.all(CONTENT.map((query) => store.find({ ...query, limit: 1, fields: [] })));
  return found.every(({ records }) => records.length === 0);
}

/** Removes all records of the collections. With all collections of the registry, the store is as good as new. */
export async function clearSite(store: Store, collections: readonly CollectionDescriptor[]): Promise<void> {
  await store.commit(
    collections.map(({ name }) => ({
      op: 'removeAll',
      collection: name,
      where: { op: 'gt', field: 'id', value: 0 },
    })),
  );
}
