import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore, type SqliteStore } from '../../../../adapters/sqlite-store.ts';
import { rejectsStore } from '../../../../adapters/stores/contract/cases.ts';
import { contractCollections as collections } from '../../../../adapters/stores/contract/collections.ts';
import { chooseDriver } from '../../../../adapters/stores/sqlite/drivers.ts';
import { type Operation, StoreError } from '../../../../lib/store/store.ts';
import { createFaultyDriver, failAt, fault, type FaultyDriver } from '../../../support/faulty-driver.ts';
import { outcomeContract } from '../../../support/store-contract.ts';
import { inFolder, makeFolder, removeFolder } from '../../../support/temporary.ts';

const article = (title: string): Operation => ({
  op: 'create',
  collection: 'articles',
  values: { title, tags: [1, 2], extra: { a: title } },
});
const FULL = 13;
const IO = 10;

async function onFaulty(
  test: (store: SqliteStore, driver: FaultyDriver, directory: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (directory) => {
    const driver = await createFaultyDriver();
    const store = await createSqliteStore({ directory, collections, driver });
    try {
      await test(store, driver, directory);
    } finally {
      driver.before = () => undefined;
      await store.close();
    }
  });
}

const full = suite('a full disk');
full('fails the commit with `full`, leaves nothing of it, lets reads continue and heals', () =>
  onFaulty(async (store, driver) => {
    await store.commit([article('kept')]);
    for (const sql of [
      'INSERT INTO "articles" ',
      'INSERT INTO "articles:tags"',
      'INSERT INTO "store:revisions"',
      'COMMIT',
      'BEGIN IMMEDIATE',
    ]) {
      driver.before = (running) => {
        if (running.startsWith(sql)) throw fault(FULL);
      };
      await rejectsStore(store.commit([article('lost')]), 'full');
      assert.is((await store.find({ collection: 'articles', total: true })).total, 1, sql);
      driver.before = () => undefined;
    }
    const [record] = await store.commit([article('healed')]);
    assert.is(record?.id, 2);
  }),
);
full('fails every commit of the group', () =>
  onFaulty(async (store, driver) => {
    driver.before = (sql) => {
      if (sql === 'COMMIT') throw fault(FULL);
    };
    const results = await Promise.allSettled([store.commit([article('a')]), store.commit([article('b')])]);
    assert.equal(
      results.map((result) => result.status),
      ['rejected', 'rejected'],
    );
    driver.before = () => undefined;
    assert.is((await store.find({ collection: 'articles', total: true })).total, 0);
    assert.is(await store.revision(['articles']), 0);
  }),
);
full.run();

const io = suite('an I/O error');
io('in a write: writes stop until the next start, reads continue', () =>
  onFaulty(async (store, driver, directory) => {
    await store.commit([article('kept')]);
    driver.before = (sql) => {
      if (sql === 'COMMIT') throw fault(IO);
    };
    await rejectsStore(store.commit([article('lost')]), 'unknown');
    driver.before = () => undefined;
    await rejectsStore(store.commit([article('refused')]), 'unavailable');
    assert.equal(
      (await store.find({ collection: 'articles' })).records.map((record) => record['title']),
      ['kept'],
    );
    await store.close();
    const again = await createSqliteStore({ directory, collections });
    await again.commit([article('written')]);
    await again.close();
  }),
);
io('in a flush: the state of the disk is unknown, so writes stop', () =>
  onFaulty(async (store, driver) => {
    driver.before = (sql) => {
      if (sql === 'COMMIT') throw fault(IO);
    };
    await store.commit([article('late')], 'later');
    await rejectsStore(store.flush(), 'unknown');
    driver.before = () => undefined;
    await rejectsStore(store.flush(), 'unavailable');
    await rejectsStore(store.commit([article('refused')]), 'unavailable');
    assert.is((await store.find({ collection: 'articles', total: true })).total, 0);
  }),
);
io('in a read is `unavailable`, and the next read may work', () =>
  onFaulty(async (store, driver) => {
    driver.before = () => {
      throw fault(IO);
    };
    await rejectsStore(store.find({ collection: 'articles' }), 'unavailable');
    await rejectsStore((async () => store.get('articles', 1))(), 'unavailable');
    driver.before = () => undefined;
    assert.is((await store.find({ collection: 'articles' })).records.length, 0);
  }),
);
io('at any statement of a commit: the commit is made completely or not at all', async () => {
  let state = { reached: true };
  for (let at = 0; state.reached; at += 1) {
    await onFaulty(async (store, driver, directory) => {
      await store.commit([article('kept')]);
      state = failAt(driver, at, fault(IO));
      const outcome = await store
        .commit([
          article('new'),
          { op: 'update', collection: 'articles', id: 1, values: { title: 'changed', tags: [3] } },
        ])
        .then(
          () => 'ok',
          () => 'failed',
        );
      driver.before = () => undefined;
      await store.close();
      const again = await createSqliteStore({ directory, collections });
      const { records } = await again.find({
        collection: 'articles',
        order: [{ field: 'id', direction: 'asc' }],
      });
      const tagged = await again.find({
        collection: 'articles',
        where: { op: 'hasAny', field: 'tags', values: [3] },
        total: true,
      });
      await again.close();
      assert.equal(
        records.map((record) => record['title']),
        outcome === 'ok' ? ['changed', 'new'] : ['kept'],
        `fault at statement ${at}`,
      );
      assert.is(tagged.total, outcome === 'ok' ? 1 : 0);
    });
  }
});
io('while it reads the changes of another process: the next read tries again', () =>
  inFolder(async (directory) => {
    const faulty = await createFaultyDriver();
    // A process may share a directory with itself on any engine.
    const driver = { ...faulty, engine: '4.0.0' };
    const store = await createSqliteStore({ directory, collections, driver });
    const other = await createSqliteStore({ directory, collections, driver });
    const before = await store.revision(['articles']);
    await other.commit([article('theirs')]);
    faulty.before = (sql) => {
      if (sql.startsWith('SELECT "collection", "revision"')) throw fault(IO);
    };
    await rejectsStore((async () => store.revision(['articles']))(), 'unavailable');
    faulty.before = () => undefined;
    assert.is(await store.revision(['articles']), before + 1);
    await other.close();
    await store.close();
  }),
);
io.run();

const throwIo = (sql: string): void => {
  if (sql === 'COMMIT') throw fault(IO);
};
/** By when the engine fails. After a COMMIT that is complete in the log, the next start finds it made. */
const FAILS = {
  'an I/O error before COMMIT has an effect': (driver: FaultyDriver) => {
    driver.before = throwIo;
  },
  'an I/O error after COMMIT is in the log': (driver: FaultyDriver) => {
    driver.after = throwIo;
  },
};
for (const [title, failToConfirm] of Object.entries(FAILS)) {
  outcomeContract(`sqlite, ${title}`, async (_collections) => {
    const directory = makeFolder();
    const driver = await createFaultyDriver();
    const store = await createSqliteStore({ directory, collections, driver });
    return {
      store,
      fail: (at) => {
        if (at === 'confirming') failToConfirm(driver);
        else
          driver.before = (sql) => {
            if (sql.startsWith('INSERT INTO "notes"')) throw fault(IO);
          };
      },
      recover: async () => {
        [driver.before, driver.after] = [() => undefined, () => undefined];
        await store.close();
        const again = await createSqliteStore({ directory, collections });
        return {
          ...again,
          close: async () => {
            await again.close();
            removeFolder(directory);
          },
        };
      },
    };
  });
}

async function refuses(directory: string): Promise<StoreError> {
  return rejectsStore(
    createSqliteStore({ directory, collections }).then((store) => store.close()),
    'unavailable',
  );
}

async function makeStore(directory: string): Promise<string> {
  const store = await createSqliteStore({ directory, collections });
  for (let count = 0; count < 40; count += 1)
    await store.commit([article(`title ${count} ${'x'.repeat(500)}`)]);
  await store.close();
  return join(directory, 'site.db');
}

const start = suite('a file that cannot be used');
start('is refused and left alone when it belongs to another program', () =>
  inFolder(async (directory) => {
    const driver = await chooseDriver();
    const path = join(directory, 'site.db');
    const foreign = driver.open(path, 0);
    foreign.exec('CREATE TABLE theirs (a)');
    foreign.close();
    const before = readFileSync(path);
    await refuses(directory);
    assert.ok(readFileSync(path).equals(before));
  }),
);
start('is refused and left alone when it is not a database', () =>
  inFolder(async (directory) => {
    const path = join(directory, 'site.db');
    for (const content of ['hello', 'x'.repeat(100_000), `SQLite format 3\0${'y'.repeat(10_000)}`]) {
      writeFileSync(path, content);
      await refuses(directory);
      assert.is(readFileSync(path, 'latin1'), content);
    }
  }),
);
start('is refused when a newer program wrote it', () =>
  inFolder(async (directory) => {
    const path = await makeStore(directory);
    const connection = (await chooseDriver()).open(path, 0);
    connection.exec('PRAGMA user_version = 999');
    connection.close();
    assert.match((await refuses(directory)).message, /newer/);
  }),
);
start('is refused when the directory is a file, or below one', () =>
  inFolder(async (directory) => {
    writeFileSync(join(directory, 'file'), '');
    await refuses(join(directory, 'file'));
    await refuses(join(directory, 'file', 'below'));
  }),
);
start('is refused when its directory is not writable', () =>
  inFolder(async (directory) => {
    const inner = join(directory, 'inner');
    mkdirSync(inner);
    chmodSync(inner, 0o500);
    // Root may write everywhere, so there is nothing to refuse.
    if (process.getuid?.() === 0) await (await createSqliteStore({ directory: inner, collections })).close();
    else await refuses(inner);
    chmodSync(inner, 0o700);
  }),
);
start('is refused with the reason when the engine cannot write it', () =>
  inFolder(async (directory) => {
    for (const code of [8, 14]) {
      const driver = await createFaultyDriver();
      driver.before = (sql) => {
        if (sql.includes('journal_mode')) throw fault(code);
      };
      const error = await rejectsStore(createSqliteStore({ directory, collections, driver }), 'unavailable');
      assert.match(error.message, /cannot be written/);
    }
    await (await createSqliteStore({ directory, collections })).close();
  }),
);
start('a damaged file is refused or read with an error, but never repaired by dropping its content', () =>
  inFolder(async (directory) => {
    const path = await makeStore(directory);
    const whole = readFileSync(path);
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const outcomes = new Map<string, number>();
    // libsql ends the process when it reads bytes that are not UTF-8, so only whole pages are damaged with it.
    const kinds = (await chooseDriver()).name === 'libsql' ? 2 : 3;
    for (let run = 0; run < 60; run += 1) {
      writeFileSync(path, whole);
      if (run % kinds === 0) truncateSync(path, random(whole.length - 1) + 1);
      else if (run % kinds === 1) appendFileSync(path, 'z'.repeat(random(9000)));
      else {
        const bytes = Buffer.from(whole);
        for (let flip = 0; flip < 20; flip += 1) bytes.writeUInt8(random(256), random(bytes.length));
        writeFileSync(path, bytes);
      }
      // As after a crash: the file is checked before it is used.
      writeFileSync(join(directory, 'running-1-00000000'), '');
      const size = statSync(path).size;
      const outcome = await createSqliteStore({ directory, collections }).then(
        async (store) => {
          const found = await store.find({ collection: 'articles' }).then(
            ({ records }) => (records.length === 40 ? 'read' : 'lost'),
            (error: unknown) => (error instanceof StoreError ? error.code : String(error)),
          );
          await store.close();
          return found;
        },
        (error: unknown) => (error instanceof StoreError ? 'refused' : String(error)),
      );
      if (outcome === 'refused') assert.is(statSync(path).size, size);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    assert.equal(
      [...outcomes.keys()].filter((outcome) => !['read', 'refused', 'unavailable'].includes(outcome)),
      [],
    );
    assert.ok((outcomes.get('refused') ?? 0) >= 20, JSON.stringify([...outcomes]));
  }),
);
start('a store that was not closed is checked at the next start', () =>
  inFolder(async (directory) => {
    await makeStore(directory);
    const notes: string[] = [];
    const open = async (): Promise<void> => {
      await (await createSqliteStore({ directory, collections, log: (note) => notes.push(note) })).close();
    };
    await open();
    assert.not.ok(notes.some((note) => note.includes('not closed')));
    writeFileSync(join(directory, 'running-1-00000000'), '');
    await open();
    assert.ok(notes.some((note) => note.includes('not closed')));
    notes.length = 0;
    await open();
    assert.not.ok(notes.some((note) => note.includes('not closed')));
  }),
);
start('after close, a copy of the file alone is a complete store', () =>
  inFolder(async (directory) => {
    const path = await makeStore(directory);
    mkdirSync(join(directory, 'copy'));
    copyFileSync(path, join(directory, 'copy', 'site.db'));
    const copy = await createSqliteStore({ directory: join(directory, 'copy'), collections });
    assert.is((await copy.find({ collection: 'articles', total: true })).total, 40);
    await copy.close();
  }),
);
start.run();
