import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkNamespace, checkUsed } from '../../../lib/route/check-namespace.ts';
import { toNamespace, type Namespace, type NamespaceParts } from '../../../lib/route/namespace.ts';
import { createProbe } from '../../support/probe.ts';
import { refusalOf } from '../../support/refusal.ts';
import { createTestEngine } from '../../support/site.ts';

const whole = suite('checkNamespace');

whole('refuses what defineNamespace did not make, also while serving', () => {
  const { descriptor } = createProbe();
  for (const wrong of [descriptor, null, undefined, [], [createProbe()], 'probe/v1', { descriptor }, { ...createProbe(), handlers: null }] as readonly unknown[]) {
    assert.match(refusalOf(() => checkNamespace(wrong)), 'defineNamespace(descriptor, handlers)');
    assert.match(refusalOf(() => createTestEngine([wrong as Namespace])), 'defineNamespace(descriptor, handlers)');
    assert.match(refusalOf(() => createTestEngine([]).register(wrong as Namespace)), 'defineNamespace(descriptor, handlers)');
  }
  assert.match(refusalOf(() => createTestEngine(createProbe() as unknown as Namespace[])), 'namespaces of the options of createEngine is an object; it must be a list');
});

whole('refuses a third argument of defineNamespace with another member', () => {
  const { descriptor, handlers } = createProbe();
  assert.match(refusalOf(() => toNamespace(descriptor, handlers, { permission: {} } as NamespaceParts)), 'unknown member "permission" of the third argument');
  for (const wrong of [5, null, []]) assert.match(refusalOf(() => toNamespace(descriptor, handlers, wrong as unknown as NamespaceParts)), 'it must be an object');
});

whole('accepts a namespace', () => checkNamespace(createProbe()));

whole.run();

const used = suite('checkUsed');

used('refuses a function that no endpoint names', () => {
  const probe = createProbe();
  const rows: readonly (readonly [Partial<Namespace>, string])[] = [
    [{ handlers: { ...probe.handlers, other: () => 1 } }, 'probe/v1: no endpoint names the handler "other"'],
    [{ permissions: { may: () => true } }, 'probe/v1: no endpoint names the permission "may"'],
    [{ checks: { is: () => null } }, 'probe/v1: no endpoint names the check "is"'],
  ];
  for (const [parts, text] of rows) {
    assert.is(refusalOf(() => checkUsed({ ...probe, ...parts })), text);
    assert.is(refusalOf(() => createTestEngine([{ ...probe, ...parts }])), text);
  }
  checkUsed(probe);
});

used('refuses a permission function of a name for which no function is asked', () => {
  const probe = { ...createProbe(), permissions: { public: () => true } };
  assert.match(refusalOf(() => createTestEngine([probe])), 'probe/v1: a permission function cannot be named "public"');
});

used.run();
