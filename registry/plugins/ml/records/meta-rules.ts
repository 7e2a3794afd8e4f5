import type { ContentModel } from '../../../plugin.ts';
import type { XmlConfig } from '../xml-config/xml-config.ts';

/** The configuration with the rules that a type declares for its meta keys. The rules of the configuration itself come first. */
export function withMetaRules(config: XmlConfig, { meta }: ContentModel, type: string): XmlConfig {
  const declared = (meta.get(type) ?? []).filter(
    ({ key, translation }) => translation !== 'ignore' && !config.fields.has(key),
  );
  if (declared.length === 0) return config;
  return {
    ...config,
    fields: new Map([
      ...config.fields,
      ...declared.map(({ key, translation }) => [key, translation] as const),
    ]),
  };
}
