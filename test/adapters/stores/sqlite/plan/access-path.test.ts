import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contractCollections } from '../../../../../adapters/stores/contract/collections.ts';
import {
  compileCount,
  compileFind,
  PLAIN_ACCESS,
  type Sql,
} from '../../../../../adapters/stores/sql/compile-query.ts';
import { toTable } from '../../../../../adapters/stores/sql/tables.ts';
import { sqliteDialect } from '../../../../../adapters/stores/sqlite/dialect.ts';
import { chooseDriver } from '../../../../../adapters/stores/sqlite/drivers.ts';
import { AccessChooser } from '../../../../../adapters/stores/sqlite/plan/access-path.ts';
import { migrate } from '../../../../../adapters/stores/sqlite/schema/migrate.ts';
import { Session } from '../../../../../adapters/stores/sqlite/session.ts';
import { TableWriter } from '../../../../../adapters/stores/sqlite/write/table-writer.ts';
import { checkCollections } from '../../../../../lib/store/check-collections.ts';
import { checkQuery } from '../../../../../lib/store/check-query.ts';
import { and, eq, oneOf, or, type Predicate, type Query } from '../../../../../lib/store/query.ts';
import { toQueries } from '../../../../support/store-arbitraries.ts';
import { fuzzRuns } from '../../../../support/store-fuzz.ts';

const [articles, notes] = contractCollections;
const collections = checkCollections(contractCollections);
const table = toTable(articles);
const TEXTS = ['', 'a', 'A', 'é', 'ß', 'b'];

/** A database in memory with some hundred articles. */
async function openSession(size: number): Promise<Session> {
  const session = new Session((await chooseDriver()).open(':memory:', 0));
  migrate(session, sqliteDialect, [table]);
  const writer = new TableWriter(session, table);
  const pick = (at: number): string => TEXTS[at % TEXTS.length] ?? '';
  for (let at = 0; at < size; at += 1) {
    writer.insert(undefined, {
      title: pick(at * 7),
      slug: `${at}`,
      language: pick(at),
      status: pick(Math.floor(at / 5)),
      date: pick(at * 3 + 1),
      level: (at % 4) - 1,
      sticky: at % 7 === 0,
      tags: [at % 5, at % 3],
      words: [pick(at)],
      extra: null,
    });
  }
  return session;
}

function idsOf(session: Session, { text, values }: Sql): readonly unknown[] {
  return session.all(text, values).map(([id]) => id);
}

const access = suite('AccessChooser');
access('changes how records are reached, never the result', async () => {
  const session = await openSession(300);
  // From "everything is many" to "everything is few".
  const choosers = [1, 4, 30, 1000].map((few) => new AccessChooser(session, table, few));
  fc.assert(
    fc.property(
      toQueries(articles),
      fc.constantFrom(...TEXTS),
      fc.array(fc.constantFrom(...TEXTS), { maxLength: 3 }),
      (random, language, statuses) => {
        const both = {
          ...random,
          where: and(eq('language', language), or(oneOf('status', statuses), random.where ?? and())),
        };
        for (const query of [checkQuery(collections, random), checkQuery(collections, both)]) {
          const expected = idsOf(session, compileFind(sqliteDialect, query, PLAIN_ACCESS));
          const count = compileCount(sqliteDialect, query, PLAIN_ACCESS);
          for (const chooser of choosers) {
            assert.equal(idsOf(session, compileFind(sqliteDialect, query, chooser.toFind(query))), expected);
            const counted = compileCount(sqliteDialect, query, chooser.toCount(query));
            assert.is(session.number(counted.text, counted.values), session.number(count.text, count.values));
          }
        }
      },
    ),
    { numRuns: fuzzRuns(300) },
  );
  session.close();
});
access('reads an index in the order of the query for many matches, and looks up few matches', async () => {
  const session = await openSession(300);
  const chooser = new AccessChooser(session, table, 20);
  const planOf = (query: Omit<Query, 'collection'>): string => {
    const checked = checkQuery(collections, { collection: 'articles', limit: 10, ...query });
    const { text, values } = compileFind(sqliteDialect, checked, chooser.toFind(checked));
    return session
      .all(`EXPLAIN QUERY PLAN ${text}`, values)
      .map((row) => String(row[3]))
      .join('; ');
  };
  const newest = [{ field: 'date', direction: 'desc' }] as const;
  const byDate = planOf({ where: and(eq('language', 'a'), eq('status', 'A')), order: newest });
  assert.match(byDate, /SEARCH articles USING INDEX.*language=\? AND status=\?/);
  assert.not.match(byDate, /TEMP B-TREE/);
  const twoWalks = planOf({ where: and(eq('language', 'a'), oneOf('status', ['a', 'A'])), order: newest });
  assert.is(twoWalks.split('language=? AND status=?').length, 3);
  assert.match(twoWalks, /MERGE \(UNION ALL\)/);
  assert.match(
    planOf({ where: and(eq('language', 'a'), oneOf('id', [1, 2])), order: newest }),
    /INTEGER PRIMARY KEY/,
  );
  assert.match(planOf({ where: eq('level', 99), order: newest }), /USING INDEX.*level=\?/);
  session.close();
});
access('does not count the records of a complete unique key', async () => {
  const session = await openSession(0);
  let probes = 0;
  const counting: Session = Object.assign(Object.create(session) as Session, {
    number: () => {
      probes += 1;
      return 1;
    },
  });
  const chooser = new AccessChooser(counting, toTable(notes));
  const hintFor = (...where: readonly Predicate[]): string =>
    chooser.toFind(checkQuery(collections, { collection: 'notes', where: and(...where) })).hint;
  assert.match(hintFor(oneOf('article', [1, 2]), eq('order', 7)), /INDEXED BY/);
  assert.is(probes, 0);
  hintFor(eq('article', 1));
  assert.is(probes, 1);
  session.close();
});
access('fetches the record of an id or a complete unique key without sorting or counting', async () => {
  const session = await openSession(0);
  migrate(session, sqliteDialect, [toTable(notes)]);
  const chooser = new AccessChooser(session, toTable(notes));
  const stepsOf = (query: Omit<Query, 'collection'>): string => {
    const checked = checkQuery(collections, { collection: 'notes', ...query });
    const { text, values } = compileFind(sqliteDialect, checked, chooser.toFind(checked));
    return session
      .all(`EXPLAIN ${text}`, values)
      .map((row) => String(row[1]))
      .join(' ');
  };
  const ofKey = and(oneOf('article', [1]), eq('order', 7));
  for (const where of [eq('id', 3), oneOf('id', [3]), ofKey])
    for (const page of [{}, { limit: 1 }])
      assert.not.match(stepsOf({ where, ...page }), /Ephemeral|Sorter|Offset/);
  // There is only one record, so the next page is empty.
  assert.match(stepsOf({ where: ofKey, offset: 1 }), /Offset/);
  session.close();
});
access.run();
