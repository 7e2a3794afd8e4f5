import { type Plugin, defineHostPlugin } from '../../plugin.ts';
import { PKG_SETTINGS } from './host.ts';
import { pkgDescriptor } from './routes.ts';

/** The package installer: the subscription of the site. */
export const pkg: Plugin = defineHostPlugin(
  { name: 'pkg', summary: 'The subscription of the site at its vendor', namespaces: [pkgDescriptor] },
  { pkg: PKG_SETTINGS },
  async () => {
    const { createInstallerNamespace } = await import('./index.ts');
    return ({ ports }) => ({ namespaces: [createInstallerNamespace(ports)] });
  },
);
