import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ArgsCompiler, type ArgsSource, type CompiledArgs } from '../../../lib/compile/compile-args.ts';
import { ANONYMOUS } from '../../../lib/core/identity.ts';
import type { EndpointDescriptor } from '../../../lib/route/descriptor.ts';
import { coerce } from '../../../lib/schema/coerce.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import { refusalOf } from '../../support/refusal.ts';
import { TEST_NAMES } from '../../support/site.ts';

const ARGS = { id: { type: 'integer', required: true }, order: { type: 'string', default: 'asc' } } as const;

function toSource(endpoint: Partial<EndpointDescriptor>, parts: Partial<ArgsSource> = {}): ArgsSource {
  // A copy, as from a file of its own.
  const own = JSON.parse(
    JSON.stringify({ methods: ['GET'], handler: 'probe', permission: 'public', args: ARGS, ...endpoint }),
  ) as EndpointDescriptor;
  return { where: 'here', endpoint: own, commonArgs: {}, rules: {}, ...parts };
}

const createCompiler = (): ArgsCompiler => new ArgsCompiler(TEST_NAMES, new Validators());
const judge = ({ byName }: CompiledArgs, value: unknown): string | null =>
  byName.get('order')?.check(value, ANONYMOUS)?.code ?? null;

const compiling = suite('ArgsCompiler');

compiling('sorts parameters by what is asked of them', () => {
  const { args, first, required, defaults } = createCompiler().compile(
    toSource({ checkFirst: ['order'] }, { commonArgs: { lang: {} } }),
  );
  const names = [args, first, required, defaults].map((list) => list.map(({ name }) => name));
  assert.equal(names, [['id', 'order', 'lang'], ['order'], ['id'], ['order']]);
});

compiling('compiles equal schemas once', () => {
  const compiler = createCompiler();
  const schemaOf = (source: ArgsSource) => compiler.compile(source).byName.get('order')?.schema;
  const compiled = schemaOf(toSource({}));
  const equal = { ...ARGS, order: { ...ARGS.order } };
  assert.is(schemaOf(toSource({ methods: ['POST'], args: equal })), compiled);
  assert.is.not(
    schemaOf(toSource({ args: { ...ARGS, order: { type: 'string', default: 'desc' } } })),
    compiled,
  );
});

compiling('checks each endpoint, also one with the same parameters as another', () => {
  const compiler = createCompiler();
  compiler.compile(toSource({}));
  assert.match(
    refusalOf(() => compiler.compile(toSource({ bodyForm: 'array' }, { where: 'there' }))),
    /^there: .*"body"/,
  );
  const nothing = { n: { maximum: undefined as unknown as number } };
  assert.match(
    refusalOf(() => compiler.compile(toSource({}, { commonArgs: nothing }))),
    /^here, parameter n: maximum/,
  );
});

compiling('says where a default stands that is no JSON', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  for (const value of [cycle, [cycle], { n: 1n }]) {
    const source = toSource({});
    const endpoint: EndpointDescriptor = { ...source.endpoint, args: { o: { default: value as Json } } };
    for (const checks of [{}, { checks: { o: 'fine' } }]) {
      const refusal = refusalOf(() =>
        createCompiler().compile({
          ...source,
          endpoint: { ...endpoint, ...checks },
          rules: { fine: () => null },
        }),
      );
      assert.match(refusal, /^here, parameter o: /);
    }
  }
});

compiling("asks the check of the endpoint's own namespace", () => {
  const compiler = createCompiler();
  const compile = (code: string): CompiledArgs =>
    compiler.compile(
      toSource(
        { checks: { order: 'check' } },
        { rules: { check: () => ({ code, message: '', data: null }) } },
      ),
    );
  assert.equal(
    [judge(compile('a'), 'asc'), judge(compile('b'), 'asc'), judge(compiler.compile(toSource({})), 'asc')],
    ['a', 'b', null],
  );
});

compiling('lets no call change the defaults that the next one gets', () => {
  const tree = { a: { n: 0 }, list: [{ n: 0 }] };
  const schemas: EndpointDescriptor['args'] = {
    members: { type: 'object', default: tree },
    items: { type: 'array', default: [tree] },
    text: { type: 'object', default: JSON.stringify(tree) },
  };
  const endpoint = toSource({}).endpoint;
  const { defaults } = createCompiler().compile(toSource({}, { endpoint: { ...endpoint, args: schemas } }));
  const isDeepFrozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isDeepFrozen));
  assert.equal(
    defaults.map((arg) => [arg.name, isDeepFrozen(arg.default)]),
    [
      ['members', true],
      ['items', true],
      ['text', true],
    ],
  );
  assert.ok(!Object.isFrozen(tree) && !Object.isFrozen(tree.a), 'what the namespace wrote stays its own');
});

compiling('lets no call change the defaults of a branch', () => {
  const branch = {
    title: 'Tree',
    type: 'object',
    properties: { tree: { type: 'object', default: { a: { n: 0 } } } },
  } as const;
  const [arg] = createCompiler().compile(
    toSource({ args: { value: { oneOf: [branch, { title: 'Text', type: 'string' }] } } }),
  ).args;
  assert.ok(arg !== undefined);
  const { tree } = coerce(arg.schema, { other: 1 }) as { readonly tree: { readonly a: object } };
  assert.ok(Object.isFrozen(tree.a));
});

compiling.run();
