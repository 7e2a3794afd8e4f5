// Shows the routes without a server: who may call what, or an OpenAPI document.
//
//   node dist/examples/routes.js              one line for each method and route, with its permission
//   node dist/examples/routes.js --openapi    the OpenAPI 3.1 document
import { describeOptions, readOptions, type CliOptions } from '../adapters/cli.ts';
import { createMemoryStore } from '../adapters/memory-store.ts';
import { collections, createSite } from '../registry/index.ts';

const OPTIONS = {
  openapi: { help: 'Print the OpenAPI 3.1 document.' },
  language: { value: 'LANGUAGE', default: 'en', help: 'Language of the descriptions.' },
  help: { help: 'Show this.' },
} as const satisfies CliOptions;

async function main(args: readonly string[]): Promise<void> {
  const { help, openapi, language } = readOptions(OPTIONS, args);
  if (help) {
    console.log(describeOptions(OPTIONS));
    return;
  }
  const { engine, close } = await createSite({ store: createMemoryStore(collections) });
  if (openapi) {
    console.log(JSON.stringify(engine.describeOpenApi({ title: 'Content site', version: '0.1.0', language, siteUrl: 'http://127.0.0.1:8787' }), null, 2));
  } else {
    for (const { pattern, descriptor } of engine.routes) {
      for (const { methods, permission } of descriptor.endpoints) console.log(`${methods.join(' ').padEnd(16)} ${permission.padEnd(22)} ${pattern}`);
    }
  }
  await close();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
