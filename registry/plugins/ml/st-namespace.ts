import { type Json, type Namespace, and, defineNamespace, eq, invalidParams } from '../../../lib/index.ts';
import { type Ports, extendNamespace, groupBy, writeOption } from '../../plugin.ts';
import { generateMoFiles } from './mo/mo-generate.ts';
import { importMoStrings } from './mo/mo-import.ts';
import { hasExtraRoutes } from './services/service-options.ts';
import { mlStDescriptor, mlStSettingsDescriptor } from './st-routes.ts';

/** Maximum size of a setting, in bytes of JSON. */
const MAX_DATA = 64 * 1024;

function checkData(data: unknown): asserts data is Json {
  const bytes = Buffer.byteLength(JSON.stringify(data));
  if (bytes > MAX_DATA)
    throw invalidParams([
      [
        'data',
        {
          code: 'rest_too_long',
          message: `data must not be longer than ${MAX_DATA} bytes of JSON; it has ${bytes}.`,
          data: null,
        },
      ],
    ]);
}

/** The groups of options begin with this. */
const PREFIX = 'ST-';
/** The character behind the last one of the prefix, so that a range of texts has exactly the groups that begin with it. */
const AFTER = 'ST.';

/** The stored settings by group and name. */
async function readAll(
  { store }: Ports,
  group: string | undefined,
): Promise<Readonly<Record<string, Readonly<Record<string, Json>>>>> {
  const where =
    group === undefined
      ? and({ op: 'gte', field: 'group', value: PREFIX }, { op: 'lt', field: 'group', value: AFTER })
      : eq('group', `${PREFIX}${group}`);
  const { records } = await store.find({
    collection: 'options',
    where,
    order: [{ field: 'id', direction: 'asc' }],
  });
  const groups = groupBy(records, ({ group: name }) => String(name).slice(PREFIX.length));
  return Object.fromEntries(
    [...groups].map(([name, options]) => [
      name,
      Object.fromEntries(options.map(({ key, value }) => [String(key), value ?? null])),
    ]),
  );
}

const createReadSettings = (ports: Ports): Namespace =>
  defineNamespace(mlStSettingsDescriptor, { 'ml.st.settings.read': ({ group }) => readAll(ports, group) });

/** `ml/st/v1`: imports strings of components from .mo files, stores them, and generates .mo files from them. */
export function createStNamespace(ports: Ports): Namespace {
  const recorded = defineNamespace(mlStDescriptor, {
    'ml.st.import': (components) => importMoStrings(ports, components),
    'ml.st.generate': () => generateMoFiles(ports),
    'ml.st.settings': async ({ group, key, data }) => {
      checkData(data);
      await writeOption(ports.store, [`${PREFIX}${group}`, key], data);
      return null;
    },
  });
  return hasExtraRoutes(ports) ? extendNamespace(recorded, createReadSettings(ports)) : recorded;
}
