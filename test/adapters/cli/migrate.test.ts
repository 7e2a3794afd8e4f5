import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSqliteStore } from '../../../adapters/sqlite-store.ts';
import { chooseDriver } from '../../../adapters/stores/sqlite/drivers.ts';
import { collections } from '../../../registry/index.ts';
import { routebook } from '../../support/routebook.ts';
import { inFolder } from '../../support/temporary.ts';

const test = suite('routebook migrate');

test('adds what this version needs, completes the index for searches, and changes no record', () =>
  inFolder(async (folder) => {
    const directory = `${folder}/data`;
    const older = collections
      .filter(({ name }) => name !== 'comments')
      .map(({ search: _search, ...rest }) =>
        rest.name === 'posts' ? Object.assign(rest, { indexes: [] }) : rest,
      );
    const before = await createSqliteStore({ directory, collections: older });
    await before.commit(
      Array.from({ length: 100 }, (_each, at) => ({
        op: 'create',
        collection: 'posts',
        values: { title: `Post ${at}`, slug: `post-${at}`, language: 'en', type: 'post', status: 'publish' },
      })),
    );
    const revision = await before.revision(['posts']);
    await before.close();
    const result = await routebook(['migrate', '--store', 'file:data'], { cwd: folder });
    assert.is(result.code, 0, result.stderr);
    assert.is(result.stdout, 'The store is up to date.\n');
    assert.match(result.stderr, /The index for searches in posts is being built\./);
    const connection = (await chooseDriver()).open(`${directory}/site.db`, 0);
    const names = connection
      .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'posts:%' OR name = 'comments'")
      .all([])
      .map(([name]) => String(name));
    connection.close();
    assert.ok(names.includes('comments'));
    assert.ok(names.length > 5, names.join(', '));
    const after = await createSqliteStore({ directory, collections });
    assert.is(await after.revision(['posts']), revision);
    assert.is(
      (
        await after.find({
          collection: 'posts',
          where: { op: 'contains', field: 'title', text: 'post 42' },
          total: true,
        })
      ).total,
      1,
    );
    await after.close();
    const again = await routebook(['migrate', '--store', 'file:data'], { cwd: folder });
    assert.is(again.code, 0);
    assert.not.match(again.stderr, /being built/);
  }));

test.run();
