/** Names by which a plain object reaches a prototype. Nothing that is sent under one of them is read, and no descriptor may use one. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
