import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readLock, releaseLock, takeLock } from '../../../../registry/core/limits/locks.ts';
import { createTestPorts, TEST_NOW } from '../../../support/ports.ts';

const lock = suite('takeLock');
lock('one holder at a time', async () => {
  const ports = createTestPorts();
  const key = await takeLock(ports, 'a');
  assert.match(key ?? '', /^[0-9a-f]{32}$/);
  assert.match((await takeLock(ports, 'empty', { key: '' })) ?? '', /^[0-9a-f]{32}$/);
  assert.is(await takeLock(ports, 'a'), null);
  assert.is(await takeLock(ports, 'a', { key: 'another' }), null);
  assert.ok(await takeLock(ports, 'b'));
});
lock('the holder extends the lock with its key', async () => {
  const ports = createTestPorts();
  const key = (await takeLock(ports, 'a')) ?? '';
  assert.is(await takeLock(ports, 'a', { key }), key);
});
lock('a lock whose holder died is free after its time, and not before', async () => {
  let now = TEST_NOW;
  const ports = createTestPorts({ now: () => now });
  const key = (await takeLock(ports, 'a', { ttlMs: 1000 })) ?? '';
  now += 999;
  assert.is(await takeLock(ports, 'a'), null);
  now += 1;
  const next = await takeLock(ports, 'a');
  assert.ok(next);
  assert.is(await takeLock(ports, 'a', { key }), null);
});
lock('a lock of a clock that was ahead is free, also if its holder died', async () => {
  let now = TEST_NOW;
  const ports = createTestPorts({ now: () => now });
  const key = (await takeLock(ports, 'a')) ?? '';
  now -= 24 * 60 * 60_000;
  assert.is(await readLock(ports, 'a'), null);
  assert.ok(await takeLock(ports, 'a'));
  assert.is(await takeLock(ports, 'a', { key }), null);
});
lock('clocks of processes may differ by minutes', async () => {
  let now = TEST_NOW;
  const ports = createTestPorts({ now: () => now });
  await takeLock(ports, 'a');
  now -= 2 * 60_000;
  assert.is(await takeLock(ports, 'a'), null);
});
lock('extending the lock restarts its time', async () => {
  let now = TEST_NOW;
  const ports = createTestPorts({ now: () => now });
  const key = (await takeLock(ports, 'a', { ttlMs: 1000 })) ?? '';
  now += 900;
  await takeLock(ports, 'a', { key, ttlMs: 1000 });
  now += 900;
  assert.is(await takeLock(ports, 'a'), null);
});
lock('of many at once one gets it, also an expired one', async () => {
  let now = TEST_NOW;
  const ports = createTestPorts({ now: () => now });
  for (let round = 0; round < 2; round += 1) {
    const keys = await Promise.all(Array.from({ length: 20 }, () => takeLock(ports, 'a')));
    assert.is(keys.filter((key) => key !== null).length, 1);
    now += 31_000;
  }
});
lock('a forced one is taken in one commit, also while its holder extends it', async () => {
  const ports = createTestPorts();
  await takeLock(ports, 'a', { key: '5' });
  const { store } = ports;
  const commit: typeof store.commit = async (operations) => {
    await takeLock(ports, 'a', { key: '5' });
    const records = await store.commit(operations);
    assert.is(await takeLock(ports, 'a', { key: '5' }), null);
    return records;
  };
  const find: typeof store.find = (query) => store.find(query);
  const racing = { ...ports, store: { ...store, find, commit } };
  assert.is(await takeLock(racing, 'a', { key: '7', isForced: true }), '7');
  assert.is(await readLock(ports, 'a'), '7');
});
lock.run();

const release = suite('releaseLock');
release('frees the lock; only the holder can', async () => {
  const ports = createTestPorts();
  const key = (await takeLock(ports, 'a')) ?? '';
  await releaseLock(ports, 'a', 'another');
  assert.is(await takeLock(ports, 'a'), null);
  await releaseLock(ports, 'a', key);
  assert.ok(await takeLock(ports, 'a'));
});
release.run();
