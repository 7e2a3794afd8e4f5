/** Test files that take the longest, longest first, as a whole run shows them. The runner starts them in this order. */
export const SLOW_FILES: readonly string[] = [
  'conformance/recorded', 'adapters/postgres-store', 'examples/server', 'adapters/cli/people', 'adapters/cli/validate', 'registry/transfer/round-trip', 'registry/transfer/recorded-export', 'adapters/cli/backup', 'adapters/cli/import', 'adapters/sqlite-power', 'examples/document-programs', 'examples/server-crash', 'examples/curl-lines',
  'registry/content/markup-properties', 'registry/markup-readers', 'examples/workers', 'adapters/sqlite-store', 'bench/workloads', 'adapters/postgres-server', 'registry/canary',
  'package', 'adapters/memory-store', 'adapters/sqlite-crash', 'conformance/recorded-postgres', 'adapters/postgres-crash', 'adapters/memory/find-rows', 'adapters/node-http',
  'registry/all-routes', 'examples/demo-site', 'registry/batch', 'adapters/sqlite-life', 'adapters/node-fuzz', 'registry/odd-shapes', 'examples/site-config',
  'registry/content/hostile', 'registry/site/authenticate', 'registry/cms/show-posts', 'adapters/sqlite-sweep', 'examples/pages', 'adapters/overload',
];
