import * as assert from 'uvu/assert';
import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import type { ArgSchema } from '../../lib/schema/schema-dialect.ts';
import { Validators } from '../../lib/schema/validate.ts';

/** Checks a successful response against the schema that its descriptor declares. */
export function checkAnswer(
  descriptor: NamespaceDescriptor,
  [method, pattern]: readonly [method: string, pattern: string],
  body: unknown,
): void {
  const endpoint = descriptor.routes
    .find((route) => route.pattern === pattern)
    ?.endpoints.find((each) => each.methods.some((word) => word === method));
  const [schema] = Object.values(endpoint?.answers ?? {});
  assert.ok(schema !== undefined, `${method} ${pattern} does not declare a response`);
  const invalid = new Validators().compileAnswer(schema as ArgSchema)(
    'answer',
    JSON.parse(JSON.stringify(body)),
  );
  assert.is(invalid, null, `${method} ${pattern}: ${invalid?.message ?? ''}`);
}
