import { findFaults, objectOf, type DocumentRules } from '../../../lib/core/check-document.ts';
import type { Namespace } from '../../../lib/route/namespace.ts';
import type { Plugin, PluginDescriptor, PluginFunctions, PluginHost, SettingCheck } from './plugin.ts';

const toCheck =
  (members: DocumentRules): SettingCheck =>
  (place, settings) =>
    findFaults(place, settings, objectOf(members));

/** What the code of a plugin of this package makes for a site. */
export interface BuiltInParts {
  /** The declared namespaces with their functions, and with further routes if the settings ask for them. */
  readonly namespaces?: readonly Namespace[];
  /** The functions of the other parts by id. */
  readonly functions?: PluginFunctions;
}

/** Makes the functions of a plugin of this package for a site. */
export type CreateBuiltIn = (host: PluginHost) => BuiltInParts;

/**
 * A plugin of this package. It differs from others in two things: its code gets the ports of the site, and its settings may have functions.
 * `settings`: the rules of its settings by member of the configuration. `load`: imports its code, which a site without the plugin never does.
 */
export function defineBuiltIn(
  descriptor: PluginDescriptor,
  settings: Readonly<Record<string, DocumentRules>>,
  load: () => Promise<CreateBuiltIn>,
): Plugin {
  return {
    descriptor,
    settings: Object.fromEntries(Object.entries(settings).map(([name, members]) => [name, toCheck(members)])),
    async bind(host) {
      const create = await load();
      const { namespaces = [], functions = {} } = create(host);
      return { namespaces, extensions: [], functions };
    },
  };
}
