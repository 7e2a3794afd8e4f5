import { createRequest } from '../../../lib/index.ts';
import { defineCommand } from '../frame/command.ts';
import { toSiteUrl, UsageError } from '../frame/options.ts';
import { printJson } from '../frame/output.ts';
import { DESCRIBED_OPTIONS, withEmptySite } from '../site/memory-site.ts';
import { checkLanguage } from '../site/site-options.ts';

export const openapi = defineCommand({
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of a site',
  operands: {},
  options: {
    ...DESCRIBED_OPTIONS,
    namespace: { value: 'NAMESPACE', help: 'Only the routes of this namespace, such as cms/v2.' },
    language: {
      value: 'LANGUAGE',
      help: 'Language of the descriptions. Default: the first language of the site.',
    },
    'site-url': { value: 'URL', default: 'http://127.0.0.1:8787', help: 'Address of the site.' },
  },
  examples: [
    ['routebook openapi --content core --namespace cms/v2 > openapi.json', 'the interface of the content'],
  ],
  async run({ values: { namespace, language, 'site-url': address, ...source }, namespaces, ownPlugins }) {
    const siteUrl = toSiteUrl('site-url', address);
    await withEmptySite({ ...source, namespaces, ownPlugins }, async ({ engine }) => {
      const query = namespace === undefined ? '' : `?namespace=${encodeURIComponent(namespace)}`;
      checkLanguage(language, engine.prefixes);
      const { status, body } = await engine.serve(
        createRequest(`/openapi.json${query}`, { siteUrl, ...(language === undefined ? {} : { language }) }),
      );
      if (status !== 200)
        throw new UsageError(
          `--namespace "${String(namespace)}": must be one of ${[...new Set(engine.routes.map((route) => route.namespace))].filter((name) => name !== '').join(', ')}`,
        );
      const { servers, ...document } = JSON.parse(String(body)) as {
        readonly servers: readonly { readonly url: string }[];
      };
      printJson({ ...document, servers: servers.map(({ url }) => ({ url: `${siteUrl}${url}` })) });
    });
  },
});
