// A whole site with its own server, as `routebook serve` starts it: `node dist/examples/server.js [options]`. `--help` explains the options.
//
//   curl -i http://127.0.0.1:8787/en/cms-json/                                     # 200
//   curl -i http://127.0.0.1:8787/fr/cms-json/cms/v2/posts?per_page=2              # 200
//   curl -i http://127.0.0.1:8787/en/cms-json/cms/v2/posts/1                       # 200
//   curl -i -u admin:adminpass -X POST -d 'title=Hello&status=publish' http://127.0.0.1:8787/en/cms-json/cms/v2/posts   # 201
//   curl -i -X POST -d 'title=Hello' http://127.0.0.1:8787/en/cms-json/cms/v2/posts   # 401
import { runRoutebook } from '../adapters/cli.ts';

process.exitCode = await runRoutebook(['serve', ...process.argv.slice(2)]);
