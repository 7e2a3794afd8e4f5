import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createErrors, engineError, RestError, toErrorBody } from '../../../lib/core/errors.ts';
import { ANONYMOUS } from '../../../lib/core/identity.ts';
import { toProblem } from '../../../lib/http/respond.ts';

const errors = suite('RestError');

errors('is made without a stack, and leaves the stacks of other errors as they were', () => {
  const cause = new Error('the disk is full');
  const made = engineError('rest_storage_full', { cause });
  assert.not.match(made.stack ?? '', /errors\.test/);
  assert.is(made.cause, cause);
  assert.match(cause.stack ?? '', /errors\.test/);
  assert.match(new Error('another').stack ?? '', /errors\.test/);
});

errors('is the same frozen one as long as nothing is said beside its code', () => {
  const [first, second] = [engineError('rest_forbidden'), engineError('rest_forbidden')];
  assert.is(first, second);
  assert.ok(Object.isFrozen(first));
  const told = engineError('rest_forbidden', { message: 'Not today.' });
  assert.equal([told.message, engineError('rest_forbidden').message === told.message], ['Not today.', false]);
});

errors('has the status of an error', () => {
  for (const row of [
    'not a row',
    [200, 'fine'],
    [600, 'no class'],
    [404.5, 'between'],
    ['404', 'a text'],
    [undefined, 'none'],
  ]) {
    assert.throws(() => new RestError('a_code', row as never), /status/);
  }
  assert.is(new RestError('a_code', ['denied', 'No.']).status, 'denied');
});

errors('says what a row must be, when it is made and when its table is bound', () => {
  const wanted =
    "must be [status, message, headers?] with a status from 400 to 599 or 'denied', and headers such as { 'Retry-After': '5' }; ";
  const rows = [
    [undefined, 'it is undefined'],
    ['not a row', 'it is "not a row"'],
    [['404', 'x'], 'the status is "404"'],
    [[404], 'the message is undefined'],
    [404, 'it is 404'],
    [[503, 'x', 5], 'the third member is 5'],
    [[503, 'x', { 'Retry-After': 5 }], 'the header "Retry-After" is 5'],
    [[503, 'x', { 'Retry-After': '5\n' }], String.raw`the header "Retry-After" is "5\n"`],
    [[503, 'x', { 'Retry After': '5' }], 'the header "Retry After" is "5"'],
  ] as const;
  for (const [row, fault] of rows) {
    assert.throws(
      () => new RestError('a_code', row as never),
      (error: Error) => error.message === `RestError: the second argument ${wanted}${fault}`,
    );
    assert.throws(
      () => createErrors({ a_code: row as never }),
      (error: Error) => error.message === `createErrors: a_code ${wanted}${fault}`,
    );
  }
  assert.throws(
    () => createErrors({ a_code: [404, 'x'] })('b_code' as never),
    /^createErrors: the table does not have the code "b_code"$/,
  );
});

errors.run();

const body = suite('toErrorBody');

body('holds additional data beside data, where there is any', () => {
  const made = new RestError('a_code', [400, 'No.'], {
    data: { why: 'x' },
    additionalData: [{ param: 'a' }],
  });
  assert.equal(toErrorBody(made, ANONYMOUS), {
    code: 'a_code',
    message: 'No.',
    data: { status: 400, why: 'x' },
    additional_data: [{ param: 'a' }],
  });
  assert.equal(Object.keys(toErrorBody(engineError('rest_forbidden'), ANONYMOUS)), [
    'code',
    'message',
    'data',
  ]);
  assert.equal(toProblem(toErrorBody(made, ANONYMOUS)), {
    type: 'about:blank',
    title: 'a_code',
    status: 400,
    detail: 'No.',
    code: 'a_code',
    why: 'x',
    additional_data: [{ param: 'a' }],
  });
});

body.run();
