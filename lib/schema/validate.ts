import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { isObject, own } from '../core/objects.ts';
import { toSearch } from './check-expression.ts';
import { branchOf, isAmbiguous } from './coerce.ts';
import { describeFailure } from './failure-messages.ts';
import { FORMATS } from './formats.ts';
import { type Invalid } from './invalid.ts';
import type { ArgSchema } from './schema-dialect.ts';
import { type JsonSchema, toJsonSchema } from './schema.ts';
import { TYPES } from './type-words.ts';

/** Returns why a coerced value of the named parameter is invalid, or null. Never changes the value. */
export type Validate = (param: string, value: unknown) => Invalid | null;

/** `checkSchema` has judged the expressions of schemas in this form. */
const regExp = Object.assign(
  (expression: string, flags: string): RegExp => new RegExp(toSearch(expression), flags),
  { code: 'new RegExp' },
);

function createAjv(): Ajv {
  const ajv = new Ajv({
    // Optimising takes a third of the time to compile and gains nothing in speed.
    code: { regExp, optimize: false },
    coerceTypes: false,
    useDefaults: false,
    ownProperties: true,
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
  });
  addFormats.default(ajv);
  for (const [name, { check, either }] of Object.entries(FORMATS)) {
    if (check !== undefined) ajv.addFormat(name, check);
    if (either !== undefined)
      ajv.addFormat(
        name,
        new RegExp(either.map((each) => (own(ajv.formats, each) as RegExp).source).join('|'), 'i'),
      );
  }
  return ajv;
}

let formatNames: readonly string[] | null = null;

/** The values of `format`. Made on first use, because a validator takes as long to make as a third of the package takes to load. */
export function listFormats(): readonly string[] {
  formatNames ??= Object.keys(createAjv().formats);
  return formatNames;
}

function toPath(instancePath: string): string {
  if (instancePath === '') return '';
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => `[${part.replaceAll('~1', '/').replaceAll('~0', '~')}]`)
    .join('');
}

function toInvalid(param: string, error: ErrorObject): Invalid {
  return describeFailure({
    keyword: error.keyword,
    at: `${param}${toPath(error.instancePath)}`,
    limits: error.params as Readonly<Record<string, unknown>>,
    schema: error.parentSchema as Readonly<Record<string, unknown>>,
  });
}

interface Compiled {
  ajv: Ajv | null;
  readonly validates: Map<string, Validate>;
}

/** All engines of a process share the compiled functions: compiling is most of what an engine costs. */
let shared: Compiled = { ajv: null, validates: new Map() };

/** More schemas than any site has. A process that registers new schemas for ever starts again here, so that its memory stays bounded. */
const MOST_COMPILED = 20_000;

function readShared(): Compiled {
  if (shared.validates.size >= MOST_COMPILED) shared = { ajv: null, validates: new Map() };
  return shared;
}

/** Compiles schemas. Equal schemas share one compiled function in the process, so that ten thousand routes cost little. */
export class Validators {
  /** @throws Error if the schema is not valid. */
  compile(schema: ArgSchema): Validate {
    const jsonSchema = toJsonSchema(schema);
    const key = JSON.stringify([jsonSchema, schema.oneOf?.map((branch) => branch.title)]);
    return this.#share(key, () =>
      schema.oneOf === undefined ? this.#compilePlain(jsonSchema) : this.#compileBranches(schema.oneOf),
    );
  }

  /** For values of responses, which have no limits but those that are declared. @throws Error if the schema is not valid. */
  compileAnswer(schema: ArgSchema): Validate {
    return this.compileJson(toJsonSchema(schema, 'answer'));
  }

  /** For a schema that is JSON Schema already. @throws Error if it is not valid. */
  compileJson(schema: JsonSchema): Validate {
    return this.#share(`answer ${JSON.stringify(schema)}`, () => this.#compilePlain(schema));
  }

  #share(key: string, compile: () => Validate): Validate {
    const { validates } = readShared();
    const known = validates.get(key);
    if (known !== undefined) return known;
    const validate = compile();
    validates.set(key, validate);
    return validate;
  }

  /** Compiles at the first value. A schema that may not be valid is compiled at once, so that a mistake is reported at registration. */
  #compilePlain(schema: JsonSchema): Validate {
    const used = readShared();
    const compile = (): ValidateFunction => (used.ajv ??= createAjv()).compile(schema);
    let compiled = isSurelyValid(schema) ? null : compile();
    return (param, value) => {
      compiled ??= compile();
      return compiled(value) ? null : toInvalid(param, (compiled.errors as ErrorObject[])[0] as ErrorObject);
    };
  }

  #compileBranches(branches: readonly ArgSchema[]): Validate {
    const checks = branches.map((branch) => this.compile(branch));
    const titles = branches.map((branch) => branch.title ?? '');
    return (param, value) => {
      if (isAmbiguous(branches, value)) return toAmbiguous(param, titles);
      const position = branchOf(branches, value);
      if (checks[position]?.(param, value) === null) return null;
      const reasons = checks.map((check) => check(param, value));
      // The defaults of one branch were already filled in, so no other branch can match.
      if (!isObject(value) && reasons.includes(null)) return null;
      return toUnmatched(param, {
        title: titles[position] ?? '',
        position,
        reasons: reasons.map((reason) => reason?.message ?? ''),
      });
    };
  }
}

function toAmbiguous(param: string, titles: readonly string[]): Invalid {
  return {
    code: 'rest_one_of_multiple_matches',
    message: `${param} matches ${titles.join(' and ')}, but should match only one.`,
    data: { positions: titles.map((_title, position) => position) },
  };
}

/** Explains why no branch matches. A title shows which branch was most likely meant; without titles, the reasons of all branches are listed. */
interface Unmatched {
  readonly title: string;
  readonly position: number;
  /** The reason of each branch, by position. */
  readonly reasons: readonly string[];
}

/** A title shows which branch was most likely meant. Without one, the reasons of all branches are listed. */
function toUnmatched(param: string, { title, position, reasons }: Unmatched): Invalid {
  const faults = reasons.filter((reason) => reason !== '').map((reason) => reason.replace(/\.$/, ''));
  return {
    code: 'rest_no_matching_schema',
    message:
      title === ''
        ? `${param} does not match any of the expected formats. Reasons: ${faults.join('; ')}.`
        : `${param} is not a valid ${title}. Reason: ${reasons[position]}`,
    data: { position },
  };
}

type Test = (value: unknown) => boolean;

const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isBound: Test = (value) => Number.isFinite(value);
const isFlag: Test = (value) => typeof value === 'boolean';
const isPlain: Test = (value) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null;
const isWord: Test = (value) => typeof value === 'string';

/** A list that is not empty, whose items pass and differ. */
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(test) && new Set(value).size === value.length;
const isType: Test = (value) => typeof value === 'string' && TYPES.has(value);

/** Keyword -> what its value must be. Others may be wrong in ways that only the compiler sees, such as `pattern`. */
const KEYWORDS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['type', (value) => isType(value) || listOf(isType)(value)],
  ['enum', listOf(isPlain)],
  ['minimum', isBound],
  ['maximum', isBound],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['uniqueItems', isFlag],
  ['readOnly', isFlag],
  ['required', listOf(isWord)],
  ['items', isSurelyValid],
  ['additionalProperties', (value) => isFlag(value) || isSurelyValid(value)],
  ['properties', (value) => isObject(value) && Object.values(value).every(isSurelyValid)],
  ['allOf', (value) => Array.isArray(value) && value.length > 0 && value.every(isSurelyValid)],
]);

/** Whether a JSON Schema needs no compiler to be known as valid. Compiling takes milliseconds, and most schemas never see a value. */
export function isSurelyValid(schema: unknown): boolean {
  return (
    isObject(schema) &&
    Object.entries(schema).every(([keyword, value]) => KEYWORDS.get(keyword)?.(value) === true)
  );
}
