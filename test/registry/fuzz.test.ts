import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../lib/engine/engine.ts';
import { toQuery } from '../../lib/http/query-string.ts';
import type { RestRequest } from '../../lib/http/request.ts';
import type { Handler } from '../../lib/route/call.ts';
import type { EndpointDescriptor, NamespaceDescriptor, RouteDescriptor } from '../../lib/route/descriptor.ts';
import type { Namespace } from '../../lib/route/namespace.ts';
import { CAPABILITIES, createCommonArgs, registryDescriptors } from '../../registry/index.ts';
import { pathValues, toValues } from '../support/arbitraries.ts';
import { inheritsNothing } from '../support/inherits-nothing.ts';
import { countRuns } from '../support/long-mode.ts';
import { TEST_CONFIG } from '../support/ports.ts';
import { createTestEngine } from '../support/site.ts';
import { createStub } from '../support/stub-namespace.ts';

/** Number of requests for each endpoint. */
const RUNS = countRuns(150, 10_000);
/** Requests of a namespace at least: some of them get through. */
const LEAST = 300;

const COMMON = createCommonArgs(TEST_CONFIG.languages);
const ADMINISTRATOR = { id: 1, role: 'administrator', capabilities: CAPABILITIES };
const GROUP = /\(\?P<\w+>(?:[^()[\]]|\[[^\]]*\])+\)/g;

/** The fault of arguments that a handler received; null if there is none. */
function findFault(value: unknown, path = 'args'): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${path} is ${value}`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' || typeof value === 'undefined' ? `${path} is ${typeof value}` : null;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && !inheritsNothing(prototype))
    return `${path} has a prototype of its own`;
  for (const [name, member] of Object.entries(value)) {
    const fault = findFault(member, `${path}.${name}`);
    if (fault !== null) return fault;
  }
  return null;
}

/** The namespace with handlers that check their arguments and report faults. */
function createWatched(descriptor: NamespaceDescriptor): Namespace {
  const namespace = createStub(descriptor);
  const watch: Handler = (args) => {
    const fault = Object.isFrozen(args) ? findFault(args) : 'args can be changed';
    if (fault !== null) throw new Error(fault);
    return { reached: true };
  };
  return {
    ...namespace,
    handlers: Object.fromEntries(Object.keys(namespace.handlers).map((id) => [id, watch])),
  };
}

function toRequests(route: RouteDescriptor, endpoint: EndpointDescriptor): fc.Arbitrary<RestRequest> {
  const schemas = { ...endpoint.args, ...endpoint.body, ...COMMON };
  const groups = [...route.pattern.matchAll(GROUP)].length;
  // Required parameters are mostly present, because a request without them is refused before anything else is checked.
  const values = (): fc.Arbitrary<Record<string, unknown>> =>
    fc.record(
      Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [
          name,
          schema.required === true
            ? toValues(schema)
            : fc.option(toValues(schema), { nil: undefined, freq: 2 }),
        ]),
      ),
      { requiredKeys: [] },
    );
  return fc
    .record({
      method: fc.constantFrom(...endpoint.methods),
      groups: fc.array(pathValues, { minLength: groups, maxLength: groups }),
      query: fc.oneof(
        { weight: 4, arbitrary: values().map(toQuery) },
        { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
      ),
      body: fc.oneof<fc.Arbitrary<RestRequest['body']>[]>(
        values().map((value) => ({ kind: 'json', value: JSON.parse(JSON.stringify(value)) })),
        values().map((params) => ({ kind: 'form', params })),
        fc.jsonValue().map((value) => ({ kind: 'json', value })),
        fc.constant({ kind: 'none' }),
      ),
    })
    .map(({ method, groups: words, query, body }) => {
      let at = 0;
      return {
        method,
        query,
        body,
        path: route.pattern.replaceAll(GROUP, () => words[at++] ?? ''),
        language: 'en',
        siteUrl: 'http://localhost',
        headers: {},
        address: '',
      };
    });
}

function checkError(body: unknown, status: number): void {
  const { code, message, data, ...rest } = body as {
    code: unknown;
    message: unknown;
    data: { status: unknown };
  };
  assert.match(String(code), /^[a-z][a-z_]+$/);
  assert.type(message, 'string');
  assert.is(data.status, status);
  assert.equal(rest, {});
  assert.not.match(JSON.stringify(body), /node_modules|\.ts:|\.js:|at Object\./);
}

/** @param success the status of a plain value of the endpoint. */
async function checkRequest(engine: Engine, request: RestRequest, success: number): Promise<number> {
  const { status, body } = await engine.dispatch(request, ADMINISTRATOR);
  assert.ok([success, 400, 404].includes(status), `${status} ${JSON.stringify(body)}`);
  if (status === success) assert.equal(body, { reached: true });
  else checkError(body, status);
  return status;
}

const fuzz = suite('every route of the registry');

for (const descriptor of registryDescriptors.filter(({ routes }) => routes.length > 0)) {
  fuzz(`${descriptor.namespace} refuses or takes whatever is sent, and never fails`, async () => {
    const engine = createTestEngine([createWatched(descriptor)], {
      capabilities: CAPABILITIES,
      commonArgs: COMMON,
      languageParam: 'ml_language',
      checkAnswers: false,
    });
    const counts = new Map<number, number>();
    const endpoints = descriptor.routes.flatMap((route) => route.endpoints).length;
    for (const route of descriptor.routes) {
      for (const endpoint of route.endpoints) {
        await fc.assert(
          fc.asyncProperty(toRequests(route, endpoint), async (request) => {
            const status = await checkRequest(engine, request, endpoint.status ?? 200);
            counts.set(status, (counts.get(status) ?? 0) + 1);
          }),
          { numRuns: Math.max(RUNS, Math.ceil(LEAST / endpoints)) },
        );
      }
    }
    assert.ok((counts.get(200) ?? 0) > 0, 'no request got through: the values never fit');
    assert.ok((counts.get(400) ?? 0) > 0, 'no request was refused: the values always fit');
    assert.is(Reflect.get({}, 'admin'), undefined);
  });
}

fuzz.run();
