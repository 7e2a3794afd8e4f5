import { and, asc, eq, gt, oneOf } from '../../../lib/store/query.ts';
import { exists, findFirst, type Store } from '../../../lib/store/store.ts';
import { cachedByRevision } from '../records/record-cache.ts';
import type { PublishDue } from '../records/schedule.ts';

/** Who has published something. */
export interface Authors {
  /** Whether the user has a published record of a served type. */
  has(id: number): Promise<boolean>;
  /** The users with a published record of one of these types. Default: of every served type. */
  list(types?: readonly string[]): Promise<readonly number[]>;
}

/** Where published records of the site are. */
interface AuthorSource {
  readonly store: Store;
  /** A scheduled post that is due makes an author. */
  readonly publishDue: PublishDue;
  readonly languages: readonly string[];
  /** Names of the types whose records are served. */
  readonly types: readonly string[];
}

/** Most cached answers. */
const MOST_KEPT = 10_000;

/** Finds authors one after the other: each search starts after the one before, so its cost is the number of authors and not that of their posts. */
async function findAuthors(
  { store, languages }: AuthorSource,
  types: readonly string[],
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const type of types) {
    for (const language of languages) {
      for (let last = 0; ;) {
        const next = await findFirst(store, {
          collection: 'posts',
          where: and(eq('language', language), eq('status', 'publish'), eq('type', type), gt('author', last)),
          order: [asc('author')],
          fields: ['author'],
        });
        if (next === undefined) break;
        last = Number(next['author']);
        found.add(last);
      }
    }
  }
  return [...found];
}

function isAuthor({ store, languages, types }: AuthorSource, author: number): Promise<boolean> {
  const isTheirs = and(
    oneOf('language', languages),
    eq('status', 'publish'),
    oneOf('type', types),
    eq('author', author),
  );
  return exists(store, 'posts', isTheirs);
}

/** Looks authors up and keeps the answers until a post changes. */
export function createAuthors(source: AuthorSource): Authors {
  const open = cachedByRevision(source.store, {
    collections: ['posts'],
    make: () => new Map<string, Promise<unknown>>(),
    most: MOST_KEPT,
  });
  const once = async <T>(key: string, load: () => Promise<T>): Promise<T> => {
    await source.publishDue();
    const answers = await open();
    const answer = (answers.get(key) as Promise<T> | undefined) ?? load();
    answers.set(key, answer);
    // The next caller asks the store again.
    answer.catch(() => answers.delete(key));
    return answer;
  };
  return {
    has: (id) => once(`has ${id}`, () => isAuthor(source, id)),
    list: (types = source.types) =>
      once(`list ${types.join()}`, () =>
        findAuthors(
          source,
          source.types.filter((type) => types.includes(type)),
        ),
      ),
  };
}
