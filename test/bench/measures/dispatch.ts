import { readFile } from 'node:fs/promises';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { createRequest } from '../../../lib/index.ts';
import { collections } from '../../../registry/index.ts';
import { fillStore, openSite, SITE_URL, type Corpus } from '../corpus.ts';
import { createFastify } from '../peers/fastify.ts';
import { createHono } from '../peers/hono.ts';
import { BASE } from '../peers/peer.ts';
import { timeCalls, type Timing } from './timing.ts';

const TARGETS = { post: '/cms/v2/posts/1', list: '/cms/v2/posts' } as const;

/** Calls within the process, without a socket. Row -> microseconds per call. */
export async function measureDispatch({
  corpusFile,
  seconds,
}: {
  readonly corpusFile: string;
  readonly seconds: number;
}): Promise<Readonly<Record<string, Timing>>> {
  const corpus = JSON.parse(await readFile(corpusFile, 'utf8')) as Corpus;
  const store = createMemoryStore(collections);
  await fillStore(store, corpus.posts.length);
  const [site, plain] = [await openSite(store, true), await openSite(store, false)];
  const [fastify, hono] = [createFastify(corpus, { etag: false }), createHono(corpus, { etag: false })];
  await fastify.ready();
  const timings: Record<string, Timing> = {};
  for (const [name, target] of Object.entries(TARGETS)) {
    const request = createRequest(target, { siteUrl: SITE_URL });
    const url = `${BASE}${target}`;
    timings[`${name}: routebook dispatch`] = await timeCalls(() => site.engine.dispatch(request), seconds);
    timings[`${name}: routebook serve (bytes)`] = await timeCalls(() => site.engine.serve(request), seconds);
    timings[`${name}: routebook dispatch without cache`] = await timeCalls(
      () => plain.engine.dispatch(request),
      seconds,
    );
    timings[`${name}: fastify inject`] = await timeCalls(() => fastify.inject(url), seconds);
    timings[`${name}: hono request`] = await timeCalls(async () => (await hono.request(url)).text(), seconds);
  }
  await fastify.close();
  await site.close();
  await plain.close();
  return timings;
}
