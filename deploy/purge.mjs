// Removes from a cache in front of a site what an event has changed: node purge.mjs
// The site sends events here: ROUTEBOOK_NOTIFY_SECRET=… routebook serve --notify http://127.0.0.1:8790/
//   ROUTEBOOK_NOTIFY_SECRET  the same secret
//   PURGE_VARNISH            address that takes purges (varnish.vcl): http://127.0.0.1:6082/
//   PURGE_NGINX              directory of proxy_cache_path, whose files this program may remove: /var/cache/nginx/routebook
//   PORT                     default 8790, on this machine alone
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readdir, open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const { ROUTEBOOK_NOTIFY_SECRET: secret = '', PURGE_VARNISH, PURGE_NGINX, PORT = '8790' } = process.env;
const MOST = 1024 * 1024;
const TOLERANCE_S = 300;
/** nginx keeps the headers of a response at the beginning of its file. */
const HEAD = 16 * 1024;
const TAGS = /^(?:xkey|cache-tag|surrogate-key): *(.*?)\r?$/im;

if (secret.length < 16) throw new Error('ROUTEBOOK_NOTIFY_SECRET must be that of the site');
const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);

/** Whether the site signed the request, some minutes ago at most (https://www.standardwebhooks.com). */
function isSigned(headers, body) {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]));
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < TOLERANCE_S)) return false;
  const wanted = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest();
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

async function purgeVarnish(tags) {
  const response = await fetch(PURGE_VARNISH, { method: 'PURGE', headers: { 'xkey-purge': tags.join(' ') } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`Varnish answered ${response.status}`);
}

async function shows(file, wanted) {
  const handle = await open(file).catch(() => null);
  if (handle === null) return false; // nginx removed it.
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const [, tags = ''] = TAGS.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    return tags.split(/[\s,]+/).some((tag) => wanted.has(tag));
  } finally {
    await handle.close();
  }
}

/** nginx asks the site for a response whose file is gone. */
async function purgeNginx(tags) {
  const wanted = new Set(tags);
  for (const entry of await readdir(PURGE_NGINX, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    if (await shows(file, wanted)) await rm(file, { force: true });
  }
}

async function answer(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MOST) return 413;
    parts.push(part);
  }
  const body = Buffer.concat(parts).toString();
  if (!isSigned(request.headers, body)) return 401;
  const tags = JSON.parse(body).data?.tags;
  if (!Array.isArray(tags) || tags.length === 0) return 204;
  if (PURGE_VARNISH) await purgeVarnish(tags);
  if (PURGE_NGINX) await purgeNginx(tags);
  return 204;
}

const server = createServer(async (request, response) => {
  // After a failure, the site sends the event again.
  const status = await answer(request).catch((error) => {
    console.error(error);
    return 502;
  });
  response.writeHead(status).end();
}).listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/`);
});
