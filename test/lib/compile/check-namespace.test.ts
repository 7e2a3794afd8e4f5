import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkNamespace, checkUsed } from '../../../lib/compile/check-namespace.ts';
import { type Namespace, type NamespaceParts, toNamespace } from '../../../lib/route/namespace.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine } from '../../support/site.ts';

const whole = suite('checkNamespace');

whole('refuses what defineNamespace did not make, also while serving', () => {
  const { descriptor } = createProbe();
  for (const wrong of [
    descriptor,
    null,
    undefined,
    [],
    [createProbe()],
    'probe/v1',
    { descriptor },
    { ...createProbe(), handlers: null },
  ] as readonly unknown[]) {
    assert.match(
      refusalOf(() => checkNamespace(wrong)),
      'defineNamespace(descriptor, handlers)',
    );
    assert.match(
      refusalOf(() => createTestEngine([wrong as Namespace])),
      'defineNamespace(descriptor, handlers)',
    );
    assert.match(
      refusalOf(() => createTestEngine([]).register(wrong as Namespace)),
      'defineNamespace(descriptor, handlers)',
    );
  }
  assert.match(
    refusalOf(() => createTestEngine(createProbe() as unknown as Namespace[])),
    'namespaces of the options of createEngine is an object; it must be a list',
  );
});

whole('refuses a third argument of defineNamespace with another member', () => {
  const { descriptor, handlers } = createProbe();
  assert.match(
    refusalOf(() => toNamespace(descriptor, handlers, { permission: {} } as NamespaceParts)),
    'unknown member "permission" of the third argument',
  );
  for (const wrong of [5, null, []])
    assert.match(
      refusalOf(() => toNamespace(descriptor, handlers, wrong as unknown as NamespaceParts)),
      'it must be an object',
    );
});

whole('says what was given instead of a namespace', () => {
  const rows: readonly (readonly [unknown, string])[] = [
    [undefined, 'it is undefined'],
    [createProbe().descriptor, 'it is a descriptor alone, which has no handlers yet'],
    [[createProbe()], 'it is a list; give each namespace as an argument of its own: register(...namespaces)'],
    [Promise.resolve(createProbe()), 'it is a promise; await it first'],
  ];
  for (const [wrong, text] of rows)
    assert.is(
      refusalOf(() => createTestEngine([]).register(wrong as Namespace)),
      `a namespace must be the result of defineNamespace(descriptor, handlers): ${text}`,
    );
});

whole('refuses arguments of defineNamespace that cannot be a namespace, before it is registered', () => {
  const { descriptor, handlers } = createProbe();
  for (const [wrong, text] of [
    [undefined, 'undefined'],
    [null, 'null'],
    ['notes', '"notes"'],
    [[], '[]'],
  ] as const) {
    assert.is(
      refusalOf(() => toNamespace(wrong as unknown as typeof descriptor, handlers)),
      `the first argument of defineNamespace is ${text}; it must be a descriptor, { namespace, routes }`,
    );
  }
  for (const [wrong, text] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [() => 1, 'a function'],
  ] as const) {
    assert.is(
      refusalOf(() => toNamespace(descriptor, wrong as unknown as typeof handlers)),
      `the second argument of defineNamespace, for "probe/v1", is ${text}; it must be an object of functions by handler id, such as { 'notes.list': () => [] }`,
    );
  }
  assert.is(
    refusalOf(() => toNamespace(descriptor, handlers, { permissions: null } as unknown as NamespaceParts)),
    'permissions of the third argument of defineNamespace is null; it must be an object of functions',
  );
});

whole('refuses an embed that is no function', () => {
  assert.match(
    refusalOf(() => checkNamespace({ ...createProbe(), embeds: { author: undefined } })),
    'probe/v1: the embed "author" is undefined; it must be a function',
  );
});

whole('accepts a namespace', () => checkNamespace(createProbe()));

whole.run();

const used = suite('checkUsed');

used('refuses a function that no endpoint names', () => {
  const probe = createProbe();
  const rows: readonly (readonly [Partial<Namespace>, string])[] = [
    [
      { handlers: { ...probe.handlers, other: () => 1 } },
      'probe/v1: no endpoint names the handler "other". Name it in an endpoint, or leave it out.',
    ],
    [
      { handlers: { ...probe.handlers, porbe: () => 1 } },
      'probe/v1: no endpoint names the handler "porbe". Did you mean "probe"?',
    ],
    [
      { permissions: { may: () => true } },
      'probe/v1: no endpoint names the permission "may". Name it in an endpoint, or leave it out.',
    ],
    [
      { checks: { is: () => null } },
      'probe/v1: no endpoint names the check "is". Name it in an endpoint, or leave it out.',
    ],
  ];
  for (const [parts, text] of rows) {
    assert.is(
      refusalOf(() => checkUsed({ ...probe, ...parts })),
      text,
    );
    assert.is(
      refusalOf(() => createTestEngine([{ ...probe, ...parts }])),
      text,
    );
  }
  checkUsed(probe);
});

used('refuses a permission function of a name for which no function is asked', () => {
  const probe = { ...createProbe(), permissions: { public: () => true } };
  assert.match(
    refusalOf(() => createTestEngine([probe])),
    'probe/v1: a permission function cannot be named "public"',
  );
});

used.run();
