import { setConsoleFormat } from '../../../lib/engine/console-log.ts';
import { defineCommand } from '../frame/command.ts';
import { note, print } from '../frame/output.ts';
import { onStop } from '../serve/listen.ts';
import { checkWorkers, prepareStore, readInputs } from '../serve/open-served-site.ts';
import { SERVE_OPTIONS, toServeOptions } from '../serve/serve-options.ts';
import { startListening } from '../serve/start-server.ts';
import { isWorker, runWorkers, serveAsWorker } from '../serve/workers.ts';

export const serve = defineCommand({
  description: [
    'SIGTERM and Ctrl-C end it: it finishes the requests in flight (10 s at most) and closes the store.',
  ],
  operands: {},
  options: SERVE_OPTIONS,
  examples: [
    ['routebook serve', 'a demo site on http://127.0.0.1:8787, kept in ./data'],
    [
      'routebook serve --store file:/srv/site --content core --config site.json --site-url https://example.org',
      'your own site behind a proxy',
    ],
  ],
  async run({ values, added }) {
    const options = { ...toServeOptions(values), ...added };
    setConsoleFormat(options.log);
    const tell = options.log === 'json' ? note : print;
    if (isWorker()) {
      await serveAsWorker(() => startListening(options));
      return;
    }
    if (options.workers > 1) {
      checkWorkers(options);
      const inputs = await readInputs(options);
      tell(`listening on ${await runWorkers(options.workers, () => prepareStore(options, inputs))}`);
      return;
    }
    const running = await (await startListening(options)).open();
    onStop(() => running.stop());
    for (const line of [`listening on ${running.indexUrl}`, ...running.hints]) tell(line);
  },
});
