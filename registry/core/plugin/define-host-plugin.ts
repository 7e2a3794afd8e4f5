import { findFaults, objectOf, type DocumentRules } from '../../../lib/core/check-document.ts';
import { createPluginSite, type PluginSite } from './plugin-site.ts';
import type { BoundPlugin, Plugin, PluginDescriptor, SettingCheck } from './plugin.ts';

const toCheck =
  (members: DocumentRules): SettingCheck =>
  (place, settings) =>
    findFaults(place, settings, objectOf(members));

/** Makes the parts of a plugin for a site. Namespaces come from `defineNamespace`. */
export type CreateParts = (site: PluginSite) => Partial<BoundPlugin>;

/**
 * Declares a plugin whose settings have rules in place of schemas, because they may be functions of the host or stand under several names, and
 * whose namespaces depend on them. `settings`: the rules by member of the configuration. `load`: imports its code, which a site without the plugin never does.
 */
export function defineHostPlugin(
  descriptor: PluginDescriptor,
  settings: Readonly<Record<string, DocumentRules>>,
  load: () => Promise<CreateParts>,
): Plugin {
  const collections = (descriptor.collections ?? []).map(({ name }) => name);
  return {
    descriptor,
    settings: Object.fromEntries(Object.entries(settings).map(([name, members]) => [name, toCheck(members)])),
    async bind(host) {
      const create = await load();
      return {
        namespaces: [],
        extensions: [],
        functions: {},
        ...create(createPluginSite({ ...host, collections })),
      };
    },
  };
}
