import { findFaults, objectOf, type DocumentRules } from '../../../lib/core/check-document.ts';
import type { Ports } from '../host/ports.ts';
import type { BoundPlugin, Plugin, PluginDescriptor, SettingCheck } from './plugin.ts';

const toCheck =
  (members: DocumentRules): SettingCheck =>
  (place, settings) =>
    findFaults(place, settings, objectOf(members));

/** A plugin of this package whose namespaces are made of the ports. `settings`: the rules of its settings by member of the configuration. */
export function defineBuiltIn(
  descriptor: PluginDescriptor,
  settings: Readonly<Record<string, DocumentRules>>,
  create: (ports: Ports) => Omit<BoundPlugin, 'extensions' | 'functions'>,
): Plugin {
  return {
    descriptor,
    settings: Object.fromEntries(Object.entries(settings).map(([name, members]) => [name, toCheck(members)])),
    bind: async ({ ports }) => ({ ...create(ports), extensions: [], functions: {} }),
  };
}
