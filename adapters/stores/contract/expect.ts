import { deepStrictEqual, ok as isTrue, strictEqual } from 'node:assert/strict';

/** @throws AssertionError */
export function is(actual: unknown, expected: unknown, message?: string): void {
  strictEqual(actual, expected, message);
}

/** Compares lists and objects by their members. @throws AssertionError */
export function equal(actual: unknown, expected: unknown, message?: string): void {
  deepStrictEqual(actual, expected, message);
}

/** @throws AssertionError */
export function ok(value: unknown, message?: string): asserts value {
  isTrue(value, message);
}

/** @throws AssertionError */
export function instance(value: unknown, expected: new (...args: never[]) => unknown): void {
  isTrue(value instanceof expected, `${String(value)} is not a ${expected.name}`);
}
