import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineError, toErrorBody } from '../../../lib/core/errors.ts';
import { ANONYMOUS } from '../../../lib/core/identity.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import { type Permission, subject, Subject } from '../../../lib/route/call.ts';
import { createProbe } from '../../support/probe.ts';
import { loadSecondCopy } from '../../support/second-copy.ts';
import { createTestEngine } from '../../support/site.ts';

// A permission function that looks something up is easily written so that it returns what it found. Many such objects mean no.
const copy = await loadSecondCopy();
copy.remove();

/** Objects that mean no: verdicts of other libraries, results of look-ups that found nothing, and things that are there for everybody. */
const NO: readonly object[] = [
  // Verdicts of other libraries.
  { allowed: false },
  { allowed: 0 },
  { allowed: null },
  { allowed: 'no' },
  { allowed: '' },
  { allow: false },
  { allow: [] },
  { allowed: [] },
  { isAllowed: false },
  { can: false },
  { may: false },
  { ok: false },
  { ok: 0 },
  { success: false },
  { success: 'false' },
  { granted: false },
  { granted: 'denied' },
  { authorized: false },
  { authorised: false },
  { permitted: false },
  { permission: false },
  { access: 'denied' },
  { access: false },
  { decision: 'Deny' },
  { decision: false },
  { effect: 'Deny' },
  { verdict: 'no' },
  { result: false },
  { value: false },
  { denied: true },
  { deny: true },
  { forbidden: true },
  { blocked: true },
  { refused: true },
  { reject: true },
  { valid: false },
  { authenticated: false },
  { loggedIn: false },
  { anonymous: true },
  { role: 'none' },
  { roles: [] },
  { scopes: [] },
  { capabilities: [] },
  { reason: 'not the owner' },
  // Errors that are returned and not thrown.
  { error: 'denied' },
  { error: true },
  { error: {} },
  { errors: ['denied'] },
  { err: 1 },
  { code: 'rest_forbidden' },
  { code: 403 },
  { status: 403 },
  { statusCode: 401 },
  { status: 'error' },
  { data: { status: 403 } },
  { message: 'Forbidden' },
  toErrorBody(engineError('rest_forbidden'), ANONYMOUS),
  { name: 'Error' },
  { isError: true },
  // Results of look-ups.
  {},
  { rows: [] },
  { rowCount: 0 },
  { records: [], total: 0 },
  { items: [] },
  { count: 0 },
  { length: 0 },
  { found: false },
  { exists: false },
  { user: null },
  { data: null },
  { record: null },
  { session: undefined },
  // There for everybody.
  ANONYMOUS,
  { id: 0, role: '', capabilities: new Set() },
  { record: { id: 7 } },
];

async function ask(permission: () => unknown): Promise<{
  readonly statuses: readonly number[];
  readonly allow: unknown;
  readonly logged: readonly LogEvent[];
  readonly ran: number;
}> {
  const logged: LogEvent[] = [];
  let ran = 0;
  const namespace = createProbe({
    endpoint: { methods: ['GET', 'POST'], permission: 'probe.may' },
    permissions: { 'probe.may': permission as Permission },
    handler: (_args, call) => {
      ran += 1;
      return { is: call.subject };
    },
  });
  const engine = createTestEngine([namespace], {
    log: (event) => {
      logged.push(event);
    },
  });
  const [read, write, described] = await Promise.all(
    ['GET', 'POST', 'OPTIONS'].map((method) => engine.dispatch(createRequest('/probe/v1/it', { method }))),
  );
  return {
    statuses: [read?.status ?? 0, write?.status ?? 0],
    allow: described?.headers['Allow'],
    logged,
    ran,
  };
}

const verdicts = suite('a permission function that returns');

verdicts('75 objects that mean no: none admits, and the log says what to return instead', async () => {
  assert.is(NO.length, 75);
  for (const verdict of NO) {
    for (const permission of [() => verdict, async () => verdict]) {
      const { statuses, allow, logged, ran } = await ask(permission);
      assert.equal([statuses, allow, ran], [[500, 500], undefined, 0], JSON.stringify(verdict));
      for (const { level, error } of logged) {
        assert.is(level, 'error');
        assert.match(
          String((error as Error).message),
          /^probe\/v1: \/probe\/v1\/it GET, POST: the permission "probe\.may" returned a plain object; it must return true or subject\(record\) to admit, /,
        );
      }
      assert.ok(logged.length >= 3);
    }
  }
});

verdicts('an instance that is no record admits nobody either', async () => {
  for (const verdict of [
    new RestResponse({}),
    new Response(null, { status: 200 }),
    new Map([['allowed', true]]),
    new Proxy({}, {}),
    Object.create({ record: { id: 7 } }) as object,
  ]) {
    const { statuses, ran } = await ask(() => verdict);
    assert.equal([statuses, ran], [[500, 500], 0]);
  }
});

verdicts(
  'the subject admits, and the handler gets its record, also from another copy of the package',
  async () => {
    const record = { allowed: false, id: 7 };
    for (const permission of [
      () => subject(record),
      async () => subject(record),
      () => copy.subject(record),
    ]) {
      const { statuses, allow, logged, ran } = await ask(permission);
      assert.equal([statuses, allow, ran, logged], [[200, 200], 'GET, POST', 2, []]);
    }
    assert.ok(copy.subject(record) instanceof Subject);
  },
);

verdicts.run();

const creating = suite('subject');

creating('keeps the record itself', () => {
  const record = { id: 7 };
  assert.is(subject(record).record, record);
});

creating('refuses what is no record', () => {
  const wrong: readonly unknown[] = [
    null,
    undefined,
    true,
    false,
    0,
    'yes',
    Symbol('yes'),
    () => true,
    [],
    [{ id: 7 }],
    Promise.resolve({ id: 7 }),
    new Error('no'),
    engineError('rest_forbidden'),
    subject({ id: 7 }),
  ];
  for (const value of wrong)
    assert.throws(
      () => subject(value as object),
      (error: unknown) => error instanceof TypeError && error.message.startsWith('subject() was given '),
    );
});

creating.run();
