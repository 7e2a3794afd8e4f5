// The verdict of libxml2 with the schemas of OASIS, which Debian has in php-symfony-translation.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { XLIFF_VERSIONS } from '../../../../../registry/plugins/ml/xliff/xliff-write.ts';
import { hasTool, runTool, skipTool } from '../../../../support/outside-tool.ts';
import { TEST_CONFIG } from '../../../../support/ports.ts';
import { inFolder } from '../../../../support/temporary.ts';
import { checkStatus, createJob, createMlSite, fetchFile, deliverJob, applyJob } from '../ml-site.ts';

const SCHEMAS = '/usr/share/php/Symfony/Component/Translation/Resources/schemas';
const FILES = { '1.2': 'xliff-core-1.2-strict.xsd', '2.0': 'xliff-core-2.0.xsd' } as const;
const ODD =
  '<!-- cms:paragraph -->\n<p>A &amp; ]]> b\r\n<svg><title>Hello</title></svg> [gallery ids="1"] %s مرحبا \u0007</p>\n<!-- /cms:paragraph -->\n<!-- cms:paragraph -->\n<p>Hello <b>whole wide world</b> &amp; all</p>\n<!-- /cms:paragraph -->';

/** What xmllint says of a file. 2.1 has the schema of 2.0, except for its version. */
const judge = (xliff: string, version: keyof typeof FILES): Promise<string> =>
  inFolder(async (folder) => {
    // The schemas refer to addresses on the network.
    writeFileSync(join(folder, 'xml.xsd'), readFileSync(join(SCHEMAS, 'xml.xsd')));
    writeFileSync(
      join(folder, 'xliff.xsd'),
      readFileSync(join(SCHEMAS, FILES[version]), 'utf8').replace(
        /schemaLocation="[^"]*xml\.xsd"/,
        'schemaLocation="xml.xsd"',
      ),
    );
    writeFileSync(join(folder, 'job.xliff'), xliff);
    const { status, text } = runTool('xmllint', [
      '--nonet',
      '--noout',
      '--schema',
      join(folder, 'xliff.xsd'),
      join(folder, 'job.xliff'),
    ]);
    return status === 0 ? 'valid' : text;
  });

async function writeFiles(): Promise<readonly (readonly [version: string, xliff: string])[]> {
  const site = await createMlSite({ config: { ...TEST_CONFIG, namespaces: { ml: { extraRoutes: true } } } });
  const first = await createJob(site);
  await deliverJob(site, first);
  await applyJob(site, first);
  for (const entry of [
    { term: 'world', targets: { fr: 'monde & <co>' }, note: 'a "note" <b>' },
    { term: 'Hello', translate: false },
  ])
    checkStatus(await site.ask('admin', 'POST /ml/v1/glossary', { source_language: 'en', ...entry }), 201);
  await site.ports.store.commit([{ op: 'update', collection: 'posts', id: 107, values: { content: ODD } }]);
  // With exact and similar texts of the memory, and terms of the glossary.
  const job = await createJob(site, 107);
  return Promise.all(
    XLIFF_VERSIONS.map(async (version) => [version, await fetchFile(site, job, version)] as const),
  );
}

const NAME = 'XLIFF and the schemas of OASIS';
if (hasTool('xmllint') && Object.values(FILES).every((name) => existsSync(join(SCHEMAS, name)))) {
  const schemas = suite(NAME);
  schemas('files with odd texts, matches and terms are valid', async () => {
    for (const [version, xliff] of await writeFiles()) {
      assert.match(xliff, version === '1.2' ? 'from="glossary"' : '<gls:term>');
      assert.match(xliff, version === '1.2' ? '<alt-trans' : '<mtc:match');
      assert.is(
        await judge(xliff.replace('version="2.1"', 'version="2.0"'), version === '1.2' ? '1.2' : '2.0'),
        'valid',
        version,
      );
    }
  });
  schemas('a file that breaks them is not', async () => {
    const [[, first = ''] = [], [, second = ''] = []] = await writeFiles();
    assert.match(await judge(first.replace('<note from="glossary"', '<note form="glossary"'), '1.2'), 'form');
    assert.match(await judge(second.replace('<segment ', '<segments '), '2.0'), 'segments');
  });
  schemas.run();
} else {
  skipTool(NAME, 'xmllint with php-symfony-translation');
}
