import { type Plugin, defineHostPlugin } from '../../plugin.ts';
import { OEMBED_SETTINGS } from './providers.ts';
import { oembedDescriptor } from './routes.ts';

/** oEmbed: describes posts of the site to other sites, and pages of other sites to editors. */
export const oembed: Plugin = defineHostPlugin(
  {
    name: 'oembed',
    summary: 'oEmbed for posts of the site and for other sites',
    namespaces: [oembedDescriptor],
  },
  { oembed: OEMBED_SETTINGS },
  async () => {
    const { createOembedNamespace } = await import('./index.ts');
    return ({ ports }) => ({ namespaces: [createOembedNamespace(ports)] });
  },
);
