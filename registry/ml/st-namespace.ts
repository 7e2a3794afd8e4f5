import { defineNamespace, type Namespace } from '../../lib/route/namespace.ts';
import { invalidParams } from '../../lib/dispatch/resolve.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { Ports } from '../ports.ts';
import { writeOption } from '../site/options.ts';
import { generateMoFiles } from './mo/mo-generate.ts';
import { importMoStrings } from './mo/mo-import.ts';
import { mlStDescriptor } from './st-routes.ts';

/** Maximum size of a setting, in bytes of JSON. */
const MAX_DATA = 64 * 1024;

function checkData(data: unknown): asserts data is Json {
  const bytes = Buffer.byteLength(JSON.stringify(data));
  if (bytes > MAX_DATA) throw invalidParams([['data', { code: 'rest_too_long', message: `data must not be longer than ${MAX_DATA} bytes of JSON; it has ${bytes}.`, data: null }]]);
}

/** `ml/st/v1`: imports strings of components from .mo files, stores them, and generates .mo files from them. */
export function createStNamespace(ports: Ports): Namespace {
  return defineNamespace(mlStDescriptor, {
    'ml.st.import': (components) => importMoStrings(ports, components),
    'ml.st.generate': () => generateMoFiles(ports),
    'ml.st.settings': async ({ group, key, data }) => {
      checkData(data);
      await writeOption(ports.store, [`ST-${group}`, key], data);
      return null;
    },
  });
}
