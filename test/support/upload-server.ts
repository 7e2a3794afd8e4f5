// A server with the test routes for uploads: `node upload-server.js DIRECTORY`. Prints its URL. `GET /memory` shows its resident memory.
import { createServer } from '../../adapters/node-http.ts';
import { createUploads } from '../../adapters/uploads.ts';
import { PATIENT } from './patient.ts';
import { createUploadEngine } from './upload-engine.ts';

const [directory = ''] = process.argv.slice(2);
const server = createServer(createUploadEngine(createUploads(directory)), {
  limits: PATIENT,
  otherwise: (_request, response) => response.end(JSON.stringify(process.memoryUsage.rss())),
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`);
});
process.once('SIGTERM', () => process.exit(0));
