// A whole site with its own server: `npm start -- [options]`. `npm start -- --help` explains the options.
//
//   curl -i http://127.0.0.1:8787/en/cms-json/                                     # 200
//   curl -i http://127.0.0.1:8787/fr/cms-json/cms/v2/posts?per_page=2              # 200
//   curl -i http://127.0.0.1:8787/en/cms-json/cms/v2/posts/1                       # 200
//   curl -i -u admin:adminpass -X POST -d 'title=Hello&status=publish' http://127.0.0.1:8787/en/cms-json/cms/v2/posts   # 201
//   curl -i -X POST -d 'title=Hello' http://127.0.0.1:8787/en/cms-json/cms/v2/posts   # 401
import { describeOptions } from '../adapters/cli.ts';
import { onStop } from './listen.ts';
import { readServerOptions, SERVER_OPTIONS } from './server-options.ts';
import { prepareStore, startServer } from './start-server.ts';
import { isWorker, runWorkers, serveAsWorker } from './workers.ts';

async function main(args: readonly string[]): Promise<void> {
  const options = readServerOptions(args);
  if (options.help) {
    console.log(`npm start -- [options]\n\n${describeOptions(SERVER_OPTIONS)}`);
    return;
  }
  if (isWorker()) {
    serveAsWorker(await startServer(options));
    return;
  }
  if (options.workers > 1) {
    await prepareStore(options);
    console.log(`listening on ${await runWorkers(options.workers)}`);
    return;
  }
  const running = await startServer(options);
  onStop(() => running.stop());
  console.log(`listening on ${running.indexUrl}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
