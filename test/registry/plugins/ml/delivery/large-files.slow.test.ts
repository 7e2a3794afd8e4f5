// Runs alone: texts of several megabytes need the memory of a process.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../../adapters/memory-store.ts';
import { collections } from '../../../../../registry/index.ts';
import { openHttpSite } from '../../../../support/http-site.ts';
import { ML_FIXTURE, toReports, translateXliff } from '../ml-site.ts';

const KIB = 1024;

const large = suite('large XLIFF files over HTTP');
large('5 MB are stored, a body above 7 MiB is 413, and other routes keep 1 MiB', async () => {
  const site = await openHttpSite(ML_FIXTURE, {
    store: createMemoryStore(collections),
    prefixes: ['en', 'fr'],
    languages: ['en', 'fr', 'nl'],
  });
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(`${site.origin}/en/cms-json/ml/tm/v1/${path}`, {
      headers: {
        Authorization: `Basic ${Buffer.from(`manager:${site.passwords['manager']}`).toString('base64')}`,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: (await response.json()) as { readonly content?: string; readonly code?: string },
    };
  };
  const reports = (length: number): unknown => toReports(1, 'x'.repeat(length));
  try {
    assert.is((await ask('ate/jobs', { jobs: [{ post_id: 107, target_language: 'fr' }] })).status, 200);
    const xliff = Buffer.from((await ask('xliff/fetch/1')).body.content ?? '', 'base64').toString('utf8');
    const long = translateXliff(xliff, (id, source) =>
      id === 'body' ? `${source}${'<p>un mot</p>\n'.repeat(340 * KIB)}` : source,
    );
    assert.ok(Buffer.byteLength(long) > 4.5 * KIB * KIB);
    assert.equal(await ask('ate/jobs/store', toReports(1, long)), { status: 200, body: true });
    assert.equal((await ask('ate/jobs/store', reports(5400 * KIB))).body.code, 'rest_body_too_large');
    assert.is((await ask('ate/jobs/store', reports(5400 * KIB))).status, 413);
    assert.is((await ask('jobs/cancel', { jobs: ['x'.repeat(1100 * KIB)] })).status, 413);
  } finally {
    await site.close();
  }
});
large.run();
