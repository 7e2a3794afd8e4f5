import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFiles, PROJECT } from './support/sources.ts';

/** All public exports. Adding or removing one is a decision: change it here, and document it in the changelog. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '.': [
    'ANONYMOUS',
    'CALL_COLLECTIONS',
    'CHANGE_ORIGINS',
    'CRUD_ERRORS',
    'ENGINE_ERRORS',
    'JsonText',
    'RawBody',
    'RecordList',
    'RestError',
    'RestResponse',
    'StoreError',
    'StreamBody',
    'and',
    'can',
    'checkIfMatch',
    'checkNames',
    'chooseType',
    'createChangeLog',
    'createEngine',
    'createErrors',
    'createRequest',
    'crud',
    'defineNamespace',
    'diffRoutes',
    'effectOf',
    'engineError',
    'eq',
    'fileResponse',
    'fold',
    'fromStandard',
    'idempotenceOf',
    'invalidParams',
    'keepCalls',
    'listActions',
    'logToConsole',
    'not',
    'oneOf',
    'or',
    'pageHeaders',
    'renamePath',
    'runWithSource',
    'statusOf',
    'subject',
    'subjectFrom',
    'toActionCall',
    'toJsonList',
    'toNamespace',
    'typeRecords',
    'valueFromStandard',
  ],
  './registry': [
    'CAPABILITIES',
    'CONFIGURED_NAMESPACES',
    'CONNECTED_SERVICES',
    'DEFAULT_LANGUAGES',
    'ENGINE_STATUS',
    'NEUTRAL_NAMES',
    'OutboundRefused',
    'ROLES',
    'WORDPRESS_NAMES',
    'abilities',
    'builder',
    'builtInPlugins',
    'capabilitiesOf',
    'catalogues',
    'changes',
    'checkCache',
    'checkChangeLog',
    'checkFixture',
    'checkPermalink',
    'checkPlugins',
    'checkSettings',
    'clearSite',
    'collections',
    'collectionsOf',
    'corePlugins',
    'createCommonArgs',
    'createContentModel',
    'createRegistry',
    'createSite',
    'defaultPluginsOf',
    'defineContentType',
    'defineTaxonomy',
    'describeRegistry',
    'editor',
    'findLostMeta',
    'hashPassword',
    'isEmptySite',
    'isPlugin',
    'joinContent',
    'listContentFaults',
    'listFixtureFaults',
    'listSettingFaults',
    'loadFixture',
    'mediaTypeOf',
    'ml',
    'oembed',
    'pkg',
    'readContent',
    'registryDescriptors',
    'renameMeta',
    'secscan',
    'seedPlugins',
    'seo',
    'toIdentity',
    'upstreamError',
    'verifyPassword',
  ],
  './plugin': ['definePlugin'],
  './transfer': [
    'ContentSuggestion',
    'Parents',
    'READ_FORMATS',
    'START_BYTES',
    'STORED_STATUSES',
    'WRITE_FORMATS',
    'countOmissions',
    'exportItems',
    'findContentFault',
    'findDangling',
    'findFormat',
    'importItems',
    'listExported',
    'listMediaPaths',
    'listUnknownRoles',
    'loadReadContext',
    'openExport',
    'openRest',
    'readExportedSite',
    'readNdjson',
    'readWxr',
    'writeNdjson',
    'writeReport',
  ],
  './node-http': ['HTTP_LIMITS', 'LoadShedder', 'closeServer', 'createListener', 'createServer'],
  './client': ['RestError', 'createClient'],
  './fetch': ['createFetchHandler'],
  './store': [
    'CHANGE_COLUMNS',
    'CountCache',
    'EMPTY_VALUES',
    'LONG_TEXT_BYTES',
    'PLAIN_ACCESS',
    'PageMarks',
    'Params',
    'StoreError',
    'checkCollections',
    'checkKept',
    'checkOperations',
    'checkQuery',
    'collectionOf',
    'compileCount',
    'compileFind',
    'compileWhere',
    'createChangeTable',
    'createRecordReader',
    'createSortKeys',
    'createSqlStore',
    'emptyColumnValue',
    'fieldOf',
    'fold',
    'fromChangeRow',
    'isDeepPage',
    'isLogged',
    'itemType',
    'keepMark',
    'loggedNames',
    'mergeChanges',
    'quoteConstant',
    'quoteName',
    'resolveValues',
    'tellIncomplete',
    'toChangeRow',
    'toColumnValue',
    'toCompare',
    'toPageQuery',
    'toSource',
    'toTable',
    'toTest',
  ],
  './store-contract': ['outcomeCases', 'storeCases'],
  './memory-store': ['createMemoryStore'],
  './sqlite-store': ['createSqliteStore'],
  './postgres-store': ['createPostgresStore'],
  './outbound': ['createOutbound'],
  './upstream': ['createUpstream'],
  './files': ['createFiles'],
  './uploads': ['createUploads'],
  './media-files': ['createMediaFiles'],
  './media-target': ['createMediaTarget'],
  './pictures': ['createPictures'],
  './import-files': ['MAX_LINE', 'createImportFiles'],
  './cli': [
    'describeOptions',
    'listen',
    'onStop',
    'readOptions',
    'readPort',
    'runRoutebook',
    'toCount',
    'toOrigins',
    'toSiteUrl',
  ],
};

interface Entry {
  readonly types: string;
  readonly default: string;
}
interface Manifest {
  readonly exports: Readonly<Record<string, Entry>>;
}
type Module = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

const manifest = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as Manifest;

function load(folder: string, entry: string): Promise<Module> {
  return import(pathToFileURL(join(folder, manifest.exports[entry]?.default ?? '')).href) as Promise<Module>;
}

const OUTSIDE = /from '(?:\.\.\/)+test\//;
/** The examples are part of the package, but no other file imports them. */
const OUTSIDE_OR_EXAMPLE = /from '(?:\.\.\/)+(?:test|examples)\//;

const entries = suite('entries of the package');

entries('are the reviewed ones', () => assert.equal(Object.keys(manifest.exports), Object.keys(NAMES)));

for (const [entry, names] of Object.entries(NAMES)) {
  entries(`${entry} exists with its types, and has the reviewed exports`, async () => {
    const paths = manifest.exports[entry];
    assert.ok(
      paths !== undefined &&
        existsSync(join(PROJECT, paths.default)) &&
        existsSync(join(PROJECT, paths.types)),
    );
    assert.is(paths.types, paths.default.replace(/\.js$/, '.d.ts'));
    assert.equal(Object.keys(await load(PROJECT, entry)).toSorted(), names);
  });
}

entries('declare only types of the package', () => {
  const packed = ['dist/lib', 'dist/registry', 'dist/adapters', 'dist/examples'];
  for (const file of packed.flatMap((folder) => listFiles(folder, '.d.ts'))) {
    assert.not.match(
      readFileSync(`${PROJECT}${file}`, 'utf8'),
      file.startsWith('dist/examples') ? OUTSIDE : OUTSIDE_OR_EXAMPLE,
      file,
    );
  }
});

entries.run();
