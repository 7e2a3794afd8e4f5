import { own } from '../../lib/core/objects.ts';
import type { CollectionDescriptor } from '../../lib/store/collection.ts';
import { type Store, StoreError } from '../../lib/store/store.ts';
import { type Role, rolesOf } from '../core/accounts/roles.ts';
import type { ContentModel } from '../core/model/content-model.ts';
import { forgetUnknownIndexes } from '../core/records/sync-meta-index.ts';
import { keepSiblings } from '../core/translations/keep-siblings.ts';
import {
  type ImportSource,
  type Item,
  type ItemFile,
  type LeftOut,
  type ReadResult,
  textLengthOf,
  type Undeclared,
} from './items/item.ts';
import { dropDerived, giveRoles, replaceRoles } from './items/known-roles.ts';
import { Ledger } from './items/ledger.ts';
import { type ImportReport, Reporter } from './items/report.ts';
import { hold, joinRules } from './items/rule.ts';
import type { Draft } from './plan/draft.ts';
import { settleForward } from './plan/forward.ts';
import { Planner } from './plan/planner.ts';
import { createRouteRule, listDeclared } from './plan/route-rules.ts';
import { cutCircles } from './plan/same-record.ts';

/** Where the files of media go. */
export interface FileTarget {
  /** Stores the file unless it is there already. Returns why it could not be stored; undefined if it is stored. `signal`: nobody waits any longer. */
  put(file: ItemFile, signal?: AbortSignal): Promise<string | undefined>;
}

/** Options of `importItems`. */
export interface ImportOptions {
  /** The store to import into. */
  readonly store: Store;
  /** The collections that the store was made for. */
  readonly collections: readonly CollectionDescriptor[];
  /** Content model of the site. */
  readonly content: ContentModel;
  /** Role of users whose role the site does not have. Default: `subscriber`. */
  readonly role?: string | undefined;
  /** Roles by login, which replace those of the source. */
  readonly roles?: ReadonlyMap<string, string> | undefined;
  /** Nothing is written to the store: the report says what an import would do. */
  readonly dryRun?: boolean | undefined;
  /** Called with what the source has and the site does not declare. */
  readonly onUndeclared?: ((undeclared: Undeclared) => void) | undefined;
  /** The source is a backup of this site, which is restored with its mistakes. Default: what the routes would refuse is left out. */
  readonly asItIs?: boolean;
  /** Passwords for users whom the site had before. Default: they are left out, because the author of the source could log in as these users with them. */
  readonly credentials?: boolean | undefined;
  /** Absent: files of media are not stored. */
  readonly files?: FileTarget | undefined;
  /** Called after each commit with the number of records that are stored. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Stops after the commit that is under way. The next import of the source continues. */
  readonly signal?: AbortSignal | undefined;
}

/** Records of one commit, and characters of their texts. */
const MOST_ITEMS = 200;
const MOST_TEXT = 1024 * 1024;
const ATTEMPTS = 3;
/** Codes of commits that another writer prevented. */
const OVERTAKEN: ReadonlySet<string> = new Set(['unique', 'version', 'missing']);
/** Users with this role are named in the report. */
const HIGHEST: Role = 'administrator';

/** Stores the items of one source. */
class Importer {
  readonly reporter = new Reporter();
  readonly #options: ImportOptions;
  readonly #ledger: Ledger;
  readonly #planner: Planner;

  /** `late`: what the site has declared since earlier imports of the source. */
  constructor(options: ImportOptions, ledger: Ledger, late: ReadonlySet<string>) {
    this.#options = options;
    this.#ledger = ledger;
    this.#planner = new Planner(options.store, { ...options, ledger, late });
  }

  leaveOut(entry: LeftOut): void {
    this.reporter.leaveOut(entry);
    for (const each of entry.undeclared ?? []) this.#options.onUndeclared?.(each);
  }

  async store(items: readonly Item[], attempt = 1): Promise<void> {
    const draft = await this.#planner.plan(items);
    const refused = await this.#commit(draft);
    if (refused === null) await this.#finish(draft);
    else await this.#storeAgain(items, refused, attempt);
  }

  /** Commits the draft. Returns why the store refuses it; null if it is stored. */
  async #commit(draft: Draft): Promise<StoreError | null> {
    if (draft.ids.size + draft.operations.length === 0) return null;
    try {
      if (this.#options.dryRun !== true)
        await keepSiblings(this.#options.store).commit(
          [...draft.operations, this.#ledger.toOperation(draft)],
          'later',
          {
            from: 'import',
          },
        );
      this.#planner.accept(draft);
      this.#ledger.add(draft);
      return null;
    } catch (error) {
      if (error instanceof StoreError && (OVERTAKEN.has(error.code) || error.code === 'invalid'))
        return error;
      throw error;
    }
  }

  /** A commit is refused when another writer was faster, or for one of its records: the records are then stored in ever smaller commits. */
  async #storeAgain(items: readonly Item[], refused: StoreError, attempt: number): Promise<void> {
    this.#planner.forget();
    if (OVERTAKEN.has(refused.code) && attempt < ATTEMPTS) return this.store(items, attempt + 1);
    const [item] = items;
    if (items.length === 1 && item !== undefined)
      return this.reporter.leaveOut({ place: item.place, what: item.collection, reason: refused.message });
    const half = Math.ceil(items.length / 2);
    await this.store(items.slice(0, half));
    return this.store(items.slice(half));
  }

  async #finish({ created, operations, kept, completed, leftOut, files, logins }: Draft): Promise<void> {
    this.reporter.count({ created, completed, unchanged: kept });
    this.reporter.credentials.push(...logins);
    for (const operation of operations)
      if (
        operation.op === 'create' &&
        operation.collection === 'users' &&
        rolesOf(operation.values as Item['values']).includes(HIGHEST)
      )
        this.reporter.administrators.push(String(own(operation.values, 'login')));
    for (const entry of leftOut) this.reporter.leaveOut(entry);
    await this.#storeFiles(files);
    this.#options.onProgress?.(this.reporter.done);
  }

  async #storeFiles(items: readonly Item[]): Promise<void> {
    const { signal, files } = this.#options;
    for (const { place, file } of items) {
      const reason = file === undefined ? undefined : await files?.put(file, signal);
      // The next import of the source stores the files that are missing.
      if (signal?.aborted === true) break;
      if (reason !== undefined)
        this.reporter.leaveOut({ place: `${place}: ${file?.path || file?.url}`, what: 'file', reason });
    }
  }
}

/** Reads what is found until the signal; a source that waits for a site ends then with the reason of the signal. */
async function* readUntil(
  signal: AbortSignal | undefined,
  found: ImportSource['found'],
): AsyncGenerator<ReadResult> {
  try {
    for await (const each of found) yield each;
  } catch (error) {
    if (signal?.aborted !== true || error !== signal.reason) throw error;
  }
}

/** Groups items into commits. Yields after each item, so that a caller can stop between two commits. */
async function storeAll(
  importer: Importer,
  found: ImportSource['found'],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let items: Item[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (items.length > 0) await importer.store(items);
    items = [];
    size = 0;
  };
  for await (const each of readUntil(signal, found)) {
    if ('leftOut' in each) {
      importer.leaveOut(each.leftOut);
      continue;
    }
    items.push(each.item);
    size += textLengthOf(each.item.values);
    if (items.length >= MOST_ITEMS || size >= MOST_TEXT) await flush();
    if (signal?.aborted === true) break;
  }
  await flush();
  return signal?.aborted !== true;
}

/**
 * Stores what a source holds. Ids are kept where they are free. Each commit also records what it imported, so that a second import of the
 * same source changes nothing but what the site has declared since, and one that was interrupted continues.
 * @throws StoreError if the store cannot be written; what was committed before stays
 */
export async function importItems(source: ImportSource, options: ImportOptions): Promise<ImportReport> {
  const began = performance.now();
  const ledger = await Ledger.load(options.store, source.name);
  const late = new Set(listDeclared(options.content).filter((name) => !ledger.declared.has(name)));
  const importer = new Importer(options, ledger, late);
  const dryRun = options.dryRun === true;
  const roles = new Map(options.roles);
  if (!dryRun) await forgetUnknownIndexes(options.store, options.content);
  const rules = [
    dropDerived(options.collections),
    ...(options.asItIs === true
      ? []
      : [
          replaceRoles(options.role ?? 'subscriber'),
          giveRoles(roles),
          createRouteRule(options.content),
          cutCircles(),
        ]),
  ];
  const isComplete = await storeAll(importer, hold(source.found, joinRules(rules)), options.signal);
  if (isComplete)
    for (const entry of await settleForward(options.store, ledger, {
      keepsIds: source.keepsIds === true,
      dryRun,
    }))
      importer.reporter.leaveOut(entry);
  if (isComplete)
    for (const [login, role] of roles)
      importer.reporter.leaveOut({
        place: login,
        what: `role ${role}`,
        reason: 'no user of the source has this login',
      });
  if (dryRun) return importer.reporter.finish(isComplete, true);
  if (isComplete && late.size > 0)
    await options.store.commit(
      [ledger.toOperation({ ids: new Map(), groups: new Map(), forward: [], declared: [...late] })],
      'later',
    );
  await options.store.flush(began);
  // Else searches would be slow until the store has added all records to its index.
  if (isComplete) await options.store.prepared?.();
  return importer.reporter.finish(isComplete);
}
