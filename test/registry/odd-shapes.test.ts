import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EndpointDescriptor, RouteDescriptor } from '../../lib/route/descriptor.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import { registryDescriptors } from '../../registry/index.ts';
import { isAll } from '../support/long-mode.ts';
import type { Asking } from '../support/whole-site.ts';
import { createBusySite } from './all-routes-site.ts';

// A list or an object in place of a single value must be refused or ignored. It must never cause an internal error.
const GROUP = /\(\?P<(\w+)>(?:[^()[\]]|\[[^\]]*\])+\)/g;

/** Existing values for groups of paths. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ['id', '101'],
  ['parent', '144'],
  ['plugin', 'file'],
  ['type', 'posts'],
  ['job_type', 'post'],
  ['introduction_id', 'welcome'],
]);

/** Values of other parameters that the handler needs to be reached. */
const GIVEN: Readonly<Record<string, Json>> = {
  url: 'http://site.test/en/alpha/',
  content: '<p>x</p>',
  post_id: 101,
  limit: 3,
  page: 1,
  company_or_person: 'company',
  jobs: [],
  ml_job_id: '1',
  query: 'a',
};

const SHAPES = ['[length]=3', '[]=3', '[][]=3', '[a][b]=3', '[toString]=3', '[0]=1&NAME[x]=2'] as const;
const VALUES: readonly Json[] = [
  { length: 3 },
  [3],
  [[3]],
  { a: { b: [null] } },
  { toString: 1, valueOf: 2 },
  [{}],
  3,
  true,
  null,
  'x',
  '',
];

/** `npm test` sends one of so many requests: each shape and each value to some parameters of each route. */
const STEP = 5;

/** The parameters of the engine, which every route has. */
const COMMON = ['ml_language', '_fields', '_embed', '_envelope', '_method', 'unknown'];

const namesOf = ({ args, body = {} }: EndpointDescriptor): readonly string[] => [
  ...Object.keys(args),
  ...Object.keys(body),
  ...COMMON,
];

function toGiven({ args, body = {} }: EndpointDescriptor, except: string): Readonly<Record<string, Json>> {
  const known = new Set([...Object.keys(args), ...Object.keys(body)]);
  return Object.fromEntries(Object.entries(GIVEN).filter(([name]) => known.has(name) && name !== except));
}

function* listRequests({ pattern }: RouteDescriptor, endpoint: EndpointDescriptor): Generator<Asking> {
  const path = pattern.replaceAll(GROUP, (_all, name: string) => PATHS.get(name) ?? '1');
  const [method = 'GET'] = endpoint.methods;
  for (const name of namesOf(endpoint)) {
    const given = toGiven(endpoint, name);
    const query = Object.entries(given)
      .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
      .join('&');
    for (const shape of SHAPES)
      yield { method, target: `${path}?${query}&${name}${shape.replaceAll('NAME', name)}`, as: 'admin' };
    if (method !== 'GET')
      for (const value of VALUES)
        yield { method, target: path, as: 'admin', body: { ...given, [name]: value } };
  }
}

const shapes = suite('parameters of an odd shape');

for (const { namespace, routes } of registryDescriptors) {
  shapes(`of ${namespace}`, async () => {
    const { site, reset } = await createBusySite();
    const failed: string[] = [];
    let count = 0;
    for (const route of routes) {
      for (const endpoint of route.endpoints) {
        for (const request of listRequests(route, endpoint)) {
          count += 1;
          if (!isAll && count % STEP !== 0) continue;
          const { status, body } = await site.ask(request);
          // 501, 502 and 503 mean that something is missing or not connected.
          if (status === 500)
            failed.push(
              `${request.method} ${request.target} ${JSON.stringify(request.body)}: ${JSON.stringify(body)}`,
            );
        }
        if (!endpoint.methods.includes('GET')) await reset();
      }
    }
    assert.equal(failed, []);
    await site.close();
  });
}

shapes.run();
