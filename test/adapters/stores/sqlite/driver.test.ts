import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseDriver } from '../../../../adapters/stores/sqlite/drivers.ts';

const statements = suite('sqlite: statements of the driver');
statements('start over each time, for lists and single rows in any order', async () => {
  const connection = (await chooseDriver()).open(':memory:', 0);
  connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2), (3), (4)');
  const statement = connection.prepare('SELECT id, id * 10 FROM t ORDER BY id LIMIT ? OFFSET ?');
  assert.equal(statement.all([2, 0]), [
    [1, 10],
    [2, 20],
  ]);
  assert.equal(statement.get([1, 3]), [4, 40]);
  assert.equal(statement.get([1, 1]), [2, 20]);
  assert.equal(statement.get([1, 9]), undefined);
  assert.equal(statement.all([1, 2]), [[3, 30]]);
  assert.equal(statement.get([1, 0]), [1, 10]);
  connection.close();
});
statements.run();
