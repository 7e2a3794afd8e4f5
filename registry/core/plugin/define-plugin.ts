import { own } from '../../../lib/core/objects.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import { bindPlugin } from './bind-plugin.ts';
import { checkPlugin } from './check-plugin.ts';
import { listSettingFaults, readPluginSettings } from './plugin-settings.ts';
import { createPluginSite } from './plugin-site.ts';
import type { FunctionsOf, Plugin, PluginContext, PluginDescriptor, SettingsOf } from './plugin.ts';

/**
 * Declares a plugin. `create` is called once for each site, and returns one function for each id that the descriptor names; it may be
 * async, and load its code then. Mistakes of the descriptor are reported when the plugin is defined, those of functions when the site is built.
 * @throws TypeError with the name of the plugin, the place and what would be right
 */
export function definePlugin<const D extends PluginDescriptor>(
  descriptor: D,
  create: (context: PluginContext<SettingsOf<D>>) => FunctionsOf<D> | Promise<FunctionsOf<D>>,
): Plugin {
  checkPlugin(descriptor, create);
  const { name, settings = {}, collections = [] } = descriptor as PluginDescriptor;
  return {
    descriptor,
    settings: { [name]: (place, given) => listSettingFaults(place, given, settings) },
    async bind(host) {
      const given = readPluginSettings(own(host.ports.config.namespaces, name), settings);
      const site = createPluginSite({ ...host, collections: collections.map((each) => each.name) });
      const functions = await Promise.resolve({ site, settings: given as ArgsOf<SettingsOf<D>> })
        .then(create)
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          throw new Error(`plugin "${name}": its function failed: ${reason}`, { cause: error });
        });
      return bindPlugin(descriptor, functions);
    },
  };
}
