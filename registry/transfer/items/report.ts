import { countOne, groupBy, own } from '../../../lib/core/objects.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import type { ExportedItems } from './export-items.ts';
import type { Item, LeftOut } from './item.ts';

/** Records of an export that its format does not contain. */
export interface Omission {
  /** What they are: `credentials`, or `posts of the type book`. */
  readonly what: string;
  /** Whether the site has no such type. Otherwise the format has no place for them. */
  readonly isUnknown: boolean;
  /** Number of records. */
  readonly count: number;
}

/** Says whether a format leaves out a record. */
export type Omits = (item: Item, content: ContentModel) => Omit<Omission, 'count'> | null;

/** A format that has these collections alone. `needsTypes`: records of types that the site does not have are left out. */
export function toOmits(
  collections: readonly string[],
  { needsTypes }: { readonly needsTypes: boolean },
): Omits {
  const parts = new Set([...collections, UNTOLD]);
  return ({ collection, values }, content) => {
    if (!parts.has(collection)) return { what: collection, isUnknown: false };
    const [type, taxonomy] = [String(own(values, 'type')), String(own(values, 'taxonomy'))];
    if (needsTypes && collection === 'posts' && !content.types.has(type))
      return { what: `posts of the type ${type}`, isUnknown: true };
    if (needsTypes && collection === 'terms' && !content.taxonomies.has(taxonomy))
      return { what: `terms of the taxonomy ${taxonomy}`, isUnknown: true };
    return null;
  };
}

/** Reads an export again, and counts what a format leaves out of it. */
export async function countOmissions(
  items: ExportedItems,
  omits: Omits,
  content: ContentModel,
): Promise<readonly Omission[]> {
  const counts = new Map<string, Omission>();
  for await (const item of items) {
    const omission = omits(item, content);
    if (omission !== null)
      counts.set(omission.what, { ...omission, count: (counts.get(omission.what)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** Entries that are kept one by one. Further ones are only counted. */
const MOST_KEPT = 100_000;

/** What an import did, as plain data. */
export interface ImportReport {
  /** Whether the source was read to its end. */
  readonly complete: boolean;
  /** Nothing was written: what an import would do. */
  readonly dryRun: boolean;
  /** Records by collection that this run created. */
  readonly created: Readonly<Record<string, number>>;
  /** Records by collection that an earlier run had created, or that the site had already. */
  readonly unchanged: Readonly<Record<string, number>>;
  /** Records by collection among them to which this run added values that the site had not declared before. */
  readonly completed: Readonly<Record<string, number>>;
  /** Logins of the administrators that this run created. */
  readonly administrators: readonly string[];
  /** Logins of the users whom the site had before and to whom this run gave a further password. */
  readonly credentials: readonly string[];
  /** Everything that was left out, in the order of the source. */
  readonly leftOut: readonly LeftOut[];
  /** Number of entries that `leftOut` no longer holds. */
  readonly more: number;
}

/** Collects the report of an import while it runs. */
export class Reporter {
  readonly #counts = {
    created: new Map<string, number>(),
    unchanged: new Map<string, number>(),
    completed: new Map<string, number>(),
  };
  /** Logins of the administrators that were created. */
  readonly administrators: string[] = [];
  /** Logins of the users who got a further password. */
  readonly credentials: string[] = [];
  readonly #leftOut: LeftOut[] = [];
  #more = 0;

  /** The collections of records, once for each record. */
  count(records: Readonly<Record<'created' | 'unchanged' | 'completed', readonly string[]>>): void {
    for (const kind of ['created', 'unchanged', 'completed'] as const)
      for (const collection of records[kind]) countOne(this.#counts[kind], collection);
  }

  leaveOut({ place, what, reason }: LeftOut): void {
    if (this.#leftOut.length < MOST_KEPT) this.#leftOut.push({ place, what, reason });
    else this.#more += 1;
  }

  /** Number of records that were created or found so far. */
  get done(): number {
    const { created, unchanged } = this.#counts;
    return [...created.values(), ...unchanged.values()].reduce((sum, count) => sum + count, 0);
  }

  finish(complete: boolean, dryRun = false): ImportReport {
    return {
      complete,
      dryRun,
      created: Object.fromEntries(this.#counts.created),
      unchanged: Object.fromEntries(this.#counts.unchanged),
      completed: Object.fromEntries(this.#counts.completed),
      administrators: this.administrators,
      credentials: this.credentials,
      leftOut: this.#leftOut,
      more: this.#more,
    };
  }
}

const PLACES_SHOWN = 3;
/** Belongs to the posts, so that their entries say it all. */
export const UNTOLD = 'post_history';

/** The report as text: totals, then every reason once with the number of entries and the first places. */
export function writeReport({
  complete,
  dryRun,
  created,
  unchanged,
  completed,
  administrators,
  credentials,
  leftOut,
  more,
}: ImportReport): string {
  const count = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .filter(([name]) => name !== UNTOLD)
      .map(([name, number]) => `${number} ${name === 'posts' ? 'posts of all types' : name}`)
      .join(', ') || 'nothing';
  const groups = groupBy(leftOut, ({ what, reason }) => `${what}: ${reason}`);
  const lines = [...groups].map(
    ([key, places]) =>
      `  ${places.length} × ${key} (${places
        .slice(0, PLACES_SHOWN)
        .map(({ place }) => place)
        .join('; ')}${places.length > PLACES_SHOWN ? '; …' : ''})`,
  );
  return [
    `${dryRun ? 'An import would store' : 'Imported'}: ${count(created)}.`,
    `Already there: ${count(unchanged)}.`,
    ...(Object.keys(completed).length === 0
      ? []
      : [`Completed with what is declared now: ${count(completed)}.`]),
    ...(administrators.length === 0 ? [] : [`New administrators: ${administrators.join(', ')}.`]),
    ...(credentials.length === 0
      ? []
      : [`Further passwords for users of the site: ${credentials.join(', ')}.`]),
    ...(lines.length === 0 ? ['Nothing was left out.'] : ['Left out:', ...lines]),
    ...(more === 0 ? [] : [`  ${more} further entries`]),
    ...(complete ? [] : ['The source was not read to its end. Run the import again to continue.']),
  ].join('\n');
}
