import * as fc from 'fast-check';
import createRouter from 'find-my-way';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPathRouter, PATH_PARAMETER_LIMIT, type Find, type Router } from '../../lib/compile/router.ts';

/** One radix tree for all patterns, without any index in front of it: what the router must not differ from. */
function createPlainRouter(): Router<string> {
  const router = createRouter({
    maxParamLength: PATH_PARAMETER_LIMIT,
    caseSensitive: true,
    ignoreTrailingSlash: false,
  });
  return {
    add: (pattern, target) =>
      router.on('GET', pattern.replaceAll(/\(\?P<(\w+)>([^)]+)\)/g, ':$1(^(?:$2)$)'), () => undefined, {
        target,
      }),
    build: () => (path) => {
      const found = router.find('GET', path.replaceAll(/[%?#]/g, encodeURIComponent));
      return found === null
        ? null
        : {
            target: (found.store as { target: string }).target,
            params: found.params as Record<string, string>,
          };
    },
  };
}

/** Each expression, and texts that it takes. */
const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  '[\\d]+': ['1', '007'],
  '\\d+': ['1', '12'],
  '[\\w-]+': ['a', 'ab', 'a-b', '1'],
  '[^/]+': ['é ', 'a%41', 'a?b', '#', ';', '%', '..', 'a'],
  'a|ab': ['a', 'ab'],
  '[a-z]*': ['', 'b'],
  '.*': ['', 'x'.repeat(PATH_PARAMETER_LIMIT), 'x'.repeat(PATH_PARAMETER_LIMIT + 1)],
  '[\\w]+\\.[a-z]+': ['a.b'],
};

type Part = { readonly literal: string } | { readonly expression: string };

const literal = fc
  .constantFrom('a', 'b', 'ab', 'abc', 'A', 'v1.0', 'a-b', 'é', 'a%', ';')
  .map((text): Part => ({ literal: text }));
const group = fc.constantFrom(...Object.keys(EXPRESSIONS)).map((expression): Part => ({ expression }));
const infix = fc.constantFrom('', '-', '.', 'a').map((text): Part => ({ literal: text }));
const segment = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(literal) },
  { weight: 4, arbitrary: fc.tuple(group) },
  { weight: 2, arbitrary: fc.tuple(infix, group, infix) },
  { weight: 1, arbitrary: fc.tuple(infix, group, infix, group) },
);
const route = fc.record({ segments: fc.array(segment, { maxLength: 4 }), slash: fc.boolean() });
type Route = Readonly<{ segments: readonly (readonly Part[])[]; slash: boolean }>;

/** The text of a route, each group as the function says. */
function toText(
  { segments, slash }: Route,
  toGroup: (expression: string, position: number) => string,
): string {
  let position = 0;
  const texts = segments.map((parts) =>
    parts.map((part) => ('literal' in part ? part.literal : toGroup(part.expression, position++))).join(''),
  );
  return `/${texts.join('/')}${slash ? '/' : ''}`;
}

const path = fc.tuple(
  fc.nat(),
  fc.array(fc.nat(), { maxLength: 8 }),
  fc.constantFrom('', '', '', '/', 'x', '/a'),
);

function addAll(router: Router<string>, patterns: readonly string[]): readonly boolean[] {
  return patterns.map((pattern) => {
    try {
      router.add(pattern, pattern);
      return true;
    } catch {
      return false;
    }
  });
}

function look(find: Find<string>, asked: string): unknown {
  const found = find(asked);
  return found === null ? null : { target: found.target, params: { ...found.params } };
}

const ROWS: readonly (readonly [patterns: readonly string[], path: string, found: string | null])[] = [
  [['/a/(?P<x>\\w+)/c', '/a/b/c'], '/a/b/c', '/a/b/c'],
  [['/a/(?P<x>\\w+)/c', '/a/b/d'], '/a/b/c', '/a/(?P<x>\\w+)/c'],
  [['/(?P<x>\\w+)/b/c', '/a/(?P<x>\\w+)/c'], '/a/b/c', '/a/(?P<x>\\w+)/c'],
  [['/(?P<x>\\w+)/b/c', '/a/(?P<x>\\w+)/d'], '/a/b/c', '/(?P<x>\\w+)/b/c'],
  [['/a/(?P<x>\\w+)/c/d', '/a/b/(?P<x>\\w+)/(?P<y>\\d+)'], '/a/b/c/d', '/a/(?P<x>\\w+)/c/d'],
  [['/a/(?P<x>\\w+)', '/a/b(?P<x>\\d+)'], '/a/b1', '/a/b(?P<x>\\d+)'],
  [['/a/(?P<x>\\w+)', '/a/b(?P<x>\\d+)'], '/a/bb', '/a/(?P<x>\\w+)'],
  // Among groups at one place it is the order of registration.
  [['/a/(?P<x>[\\d]+)/b', '/a/(?P<y>\\w+)/(?P<z>\\w+)'], '/a/1/b', '/a/(?P<x>[\\d]+)/b'],
  [['/a/(?P<y>\\w+)/(?P<z>\\w+)', '/a/(?P<x>[\\d]+)/b'], '/a/1/b', '/a/(?P<y>\\w+)/(?P<z>\\w+)'],
  [['/a/(?P<y>\\w+)/(?P<z>\\w+)', '/a/(?P<y>\\w+)/b'], '/a/1/b', '/a/(?P<y>\\w+)/b'],
  // A group may take nothing, but the slash before it stays.
  [['/a/(?P<x>.*)'], '/a/', '/a/(?P<x>.*)'],
  [['/a/(?P<x>.*)'], '/a', null],
  [['/a/(?P<x>.*)', '/a/'], '/a/', '/a/'],
  [['/a/(?P<x>.*)'], '/a/b/c', null],
  [['/a%/(?P<x>\\w+)'], '/a%/b', '/a%/(?P<x>\\w+)'],
  [['/a;b/(?P<x>\\w+)'], '/a;b/c', '/a;b/(?P<x>\\w+)'],
];

const order = suite('order of routes');

for (const [patterns, asked, found] of ROWS) {
  order(`of ${patterns.join(' and ')} takes ${asked} to ${found}`, () => {
    for (const create of [createPathRouter<string>, createPlainRouter]) {
      const router = create();
      assert.not(addAll(router, patterns).includes(false));
      assert.is(router.build()(asked)?.target ?? null, found, create.name);
    }
  });
}

order('is that of one radix tree, whatever the patterns and the path are', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(route, { minLength: 1, maxLength: 12 }),
      fc.array(path, { minLength: 20, maxLength: 40 }),
      (routes, paths) => {
        const patterns = routes.map((each) =>
          toText(each, (expression, position) => `(?P<g${position}>${expression})`),
        );
        const [ours, plain] = [createPathRouter<string>(), createPlainRouter()];
        // Ours refuses the expressions of a segment that together take more than linear time.
        const taken = addAll(ours, patterns);
        assert.not(
          addAll(
            plain,
            patterns.filter((_pattern, index) => taken[index]),
          ).includes(false),
        );
        const [find, findPlain] = [ours.build(), plain.build()];
        for (const [index, picks, end] of paths) {
          const asked =
            toText(routes[index % routes.length] as Route, (expression, position) => {
              const texts = EXPRESSIONS[expression] as readonly string[];
              return texts[(picks[position] ?? 0) % texts.length] as string;
            }) + end;
          const wanted = look(findPlain, asked);
          if (wanted !== null) found += 1;
          assert.equal(look(find, asked), wanted, `${asked} of ${patterns.join(' , ')}`);
        }
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(found > 1000, `only ${found} paths were found`);
});

order.run();
