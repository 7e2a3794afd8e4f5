import { createDescriptorCheck } from '../../../lib/compile/check-descriptor.ts';
import { checkContexts, CONTEXTS } from '../../../lib/compile/check-endpoint.ts';
import { compileSchema } from '../../../lib/compile/compile-args.ts';
import { type DocumentRule, findFaults, listOf, objectOf } from '../../../lib/core/check-document.ts';
import {
  adviseOn,
  atPlace,
  checkMembers,
  describe,
  FLAG,
  HEADER_NAMES,
  inForm,
  OBJECT,
  TEXT,
} from '../../../lib/core/check-options.ts';
import { findUnknownMember } from '../../../lib/core/objects.ts';
import { checkArgs } from '../../../lib/schema/check-schema.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import { checkCollections } from '../../../lib/store/check-collections.ts';
import { checkContent } from '../model/read-content.ts';
import type { PluginDescriptor } from './plugin.ts';

const needed = (rule: DocumentRule): DocumentRule => ({ ...rule, needed: true });
const ID: DocumentRule = { ...TEXT, wanted: 'the id of a function, such as "reading.count"' };
const RUN = needed(ID);
const COLLECTIONS: DocumentRule = {
  ...listOf(TEXT),
  wanted: "a list of collections, such as ['posts']",
};
const notEmpty = (list: DocumentRule): DocumentRule =>
  needed({ ...list, fits: (value) => Array.isArray(value) && value.length > 0 });
const formOf = (form: RegExp, wanted: string): DocumentRule => needed(inForm(form, wanted));

function isDocumentPath(value: unknown): boolean {
  if (typeof value !== 'string' || !/^(?:\/[\w.-]*(?:\{[a-z]\w{0,63}\}[\w.-]*)?)+$/.test(value)) return false;
  const names = value.match(/\{\w+\}/g) ?? [];
  return new Set(names).size === names.length;
}

const MEMBERS = {
  name: formOf(
    /^(?!cms$)[a-z][a-z0-9-]{0,39}$/,
    'a name of lower-case letters, digits and hyphens, such as "reading"; it begins with a letter, has at most 40 characters, and differs from that of the core, cms',
  ),
  summary: TEXT,
  exposes: HEADER_NAMES,
  namespaces: { ...listOf(OBJECT), wanted: 'a list of namespaces, [{ namespace, routes }]' },
  extends: { ...listOf(OBJECT), wanted: "a list of extensions, [{ namespace: 'cms/v2', routes }]" },
  content: { ...OBJECT, wanted: 'types, taxonomies and meta keys, { types: [{ name, base }] }' },
  collections: { ...listOf(OBJECT), wanted: 'a list of collections, [{ name, fields }]' },
  settings: {
    ...OBJECT,
    wanted: "an object of schemas by setting, such as { perPage: { type: 'integer', default: 10 } }",
  },
  fields: listOf(
    objectOf({
      of: notEmpty({
        ...listOf(TEXT),
        wanted: "a list of types, 'type', 'term', 'user', 'comment', 'attachment' or '*', such as ['post']",
      }),
      name: formOf(
        /^[a-z][a-z0-9_]{0,63}$/,
        'a name of lower-case letters, digits and underscores, such as "reading_minutes"',
      ),
      schema: needed({ ...OBJECT, wanted: "a schema, such as { type: 'integer' }" }),
      value: RUN,
      write: ID,
      asked: FLAG,
      reads: COLLECTIONS,
    }),
  ),
  reactions: listOf(objectOf({ to: notEmpty(COLLECTIONS), run: RUN })),
  shortcodes: listOf(
    objectOf({
      name: formOf(/^[a-z][a-z0-9_-]*$/, 'a name in lower case, such as "minutes"'),
      render: RUN,
      block: FLAG,
      reads: COLLECTIONS,
    }),
  ),
  blocks: listOf(
    objectOf({
      name: formOf(
        /^[a-z][a-z0-9_-]*\/[a-z][a-z0-9_-]*$/,
        'a name with a slash, in lower case, such as "reading/minutes"',
      ),
      render: RUN,
      reads: COLLECTIONS,
    }),
  ),
  documents: listOf(
    objectOf({
      path: needed({
        wanted:
          'a path of letters, digits and . _ -, with at most one name in braces between two slashes and none twice, such as "/reading.txt" or "/reading/{year}.txt"',
        fits: isDocumentPath,
      }),
      write: RUN,
    }),
  ),
  rewrites: listOf(objectOf({ run: RUN })),
  tasks: listOf(
    objectOf({
      every: formOf(
        /^(?:[1-9]\d{0,4}[smh]|(?:[1-9]|[12]\d|30)d)$/,
        'a whole number with s, m, h or d, such as "1h"; at least 1s and at most 30d',
      ),
      run: RUN,
    }),
  ),
} satisfies Readonly<Record<keyof PluginDescriptor, DocumentRule>>;

/** What other systems call these members. */
const FOREIGN: Readonly<Record<string, string>> = {
  id: 'write name',
  title: 'write summary',
  description: 'write summary',
  routes:
    'write namespaces: [{ namespace, routes }], or extends for routes below a namespace of another plugin',
  endpoints: 'write namespaces: [{ namespace, routes }]',
  extend: 'write extends',
  extensions: 'write extends',
  stores: 'write collections',
  tables: 'write collections',
  options: 'write settings, an object of schemas by name',
  config: 'write settings, an object of schemas by name',
  handlers: 'functions are not data: return them by id from the second argument of definePlugin',
  permissions: 'functions are not data: return them by id from the second argument of definePlugin',
  hooks: 'write reactions: what happens after records have changed',
  actions: 'write reactions: what happens after records have changed',
  filters: 'write fields or shortcodes: a plugin adds to content and does not change that of others',
};

const validators = new Validators();

/** @throws TypeError with the name of the plugin, the place and what would be right */
export function checkPlugin(descriptor: unknown, create: unknown): asserts descriptor is PluginDescriptor {
  if (!OBJECT.fits(descriptor))
    throw new TypeError(
      `the first argument of definePlugin is ${describe(descriptor)}; it must be a descriptor, { name, namespaces, … }`,
    );
  const { name } = descriptor as Readonly<Record<string, unknown>>;
  const what = typeof name === 'string' ? `plugin ${JSON.stringify(name)}` : 'a plugin without a name';
  const known = Object.keys(MEMBERS);
  const unknown = findUnknownMember(descriptor as object, new Set(known));
  if (unknown !== undefined)
    throw new TypeError(
      `${what}: unknown member "${unknown}"${adviseOn(unknown, known, { what: 'members', foreign: FOREIGN })}`,
    );
  const { value: fault } = findFaults('', descriptor, { ...OBJECT, members: MEMBERS }).next();
  if (fault !== undefined) throw new TypeError(`${what}: ${fault as string}`);
  if (typeof create !== 'function')
    throw new TypeError(
      `${what}: the second argument of definePlugin is ${describe(create)}; it must be a function that returns the functions of the plugin by id: ({ settings, site }) => ({ … })`,
    );
  atPlace(what, () => checkParts(descriptor as PluginDescriptor));
}

function checkParts({ namespaces = [], extends: extensions = [], ...rest }: PluginDescriptor): void {
  const check = createDescriptorCheck(validators);
  for (const namespace of namespaces) atPlace('namespaces', () => check(namespace));
  for (const extension of extensions)
    atPlace('extends', () => {
      checkMembers(`the extension of ${extension.namespace}`, extension, [
        'namespace',
        'routes',
        'resources',
      ]);
      check(extension);
    });
  if (rest.content !== undefined) checkContent('content', rest.content);
  atPlace('collections', () => checkCollections(rest.collections ?? []));
  checkArgs('settings', rest.settings ?? {});
  for (const [name, schema] of Object.entries(rest.settings ?? {}))
    compileSchema(`settings, parameter ${name}`, [name, schema], validators);
  for (const { name, schema } of rest.fields ?? []) {
    checkArgs('fields', { [name]: schema });
    checkContexts(`fields, parameter ${name}`, schema, new Set(CONTEXTS));
  }
}
