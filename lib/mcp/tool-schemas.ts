import { listShownFields } from '../compile/shown.ts';
import type { Names } from '../core/names.ts';
import type { Action } from '../describe/actions.ts';
import { takesFields } from '../describe/openapi-components.ts';
import { toAnswerSchema, toRequestSchema, type Document } from '../describe/openapi-schema.ts';
import type { SiteView } from '../route/call.ts';
import { effectOf } from '../route/effects.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import { typesOf } from '../schema/schema.ts';

type Words = Pick<SiteView, 'names' | 'translate'>;

const FIELDS = {
  type: 'array',
  items: { type: 'string' },
  description: 'Fields to include; a dot selects a nested field.',
} as const;

/** The JSON Schema of the arguments. A read also takes `_fields`. */
export function toInputSchema(words: Words, { args, endpoint }: Action): Document {
  const required = args.filter(([, schema]) => schema.required === true).map(([name]) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(args.map(([name, schema]) => [name, toRequestSchema(words, schema)])),
      ...(effectOf(endpoint) === 'read' && takesFields(endpoint) ? { _fields: FIELDS } : {}),
    },
    ...(required.length > 0 ? { required } : {}),
  };
}

const toList = (items: Document): Document => ({
  type: 'object',
  properties: { items: { type: 'array', items } },
  required: ['items'],
});

const UNTRANSLATED = { translate: (text: string): string => text };

/** The schema of the fields of a record. Their meaning stands in the arguments; here it would double the list of tools. */
function toRecordSchema(names: Names, { route: { resource } }: Action): Document {
  if (resource === null) return { type: 'object' };
  const fields = listShownFields(resource, names).map(([name, schema]) => {
    const { description: _words, ...rest } = schema;
    return [name, toAnswerSchema(UNTRANSLATED, rest)] as const;
  });
  return { type: 'object', properties: Object.fromEntries(fields) };
}

const REMOVAL = {
  type: 'object',
  properties: { deleted: { type: 'boolean' }, previous: { type: 'object' } },
} as const;

const COUNT = { type: 'integer' } as const;

function toShown(names: Names, action: Action): Document {
  const [form = 'removal', ...others] = action.endpoint.shows ?? [];
  if (others.length > 0) return { type: 'object' };
  if (form === 'removal') return REMOVAL;
  const record = toRecordSchema(names, action);
  if (form === 'record') return record;
  const list = toList(record);
  return form === 'list'
    ? list
    : { ...list, properties: { ...(list['properties'] as object), total: COUNT, total_pages: COUNT } };
}

/** A list becomes the member `items` and any other value the member `value`, because the result of a tool is an object. */
function toAnswer(words: Words, schema: ArgSchema): Document {
  const types = typesOf(schema);
  const answer = toAnswerSchema(words, schema);
  if (types.length !== 1) return { type: 'object' };
  if (types[0] === 'object') return answer;
  if (types[0] === 'array') return toList((answer['items'] ?? {}) as Document);
  return { type: 'object', properties: { value: answer }, required: ['value'] };
}

/** The JSON Schema of the structured result. null: the response need not be JSON. */
export function toOutputSchema(words: Words, action: Action): Document | null {
  const { answers, shows, produces } = action.endpoint;
  if (produces !== undefined) return null;
  if (shows !== undefined) return toShown(words.names, action);
  const [only, ...others] = Object.values(answers ?? {});
  return only === undefined || others.length > 0 ? { type: 'object' } : toAnswer(words, only);
}
