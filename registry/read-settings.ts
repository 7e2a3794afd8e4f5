import { checkDocument, objectOf, type DocumentRule } from '../lib/core/check-document.ts';
import { own } from '../lib/core/objects.ts';
import type { SiteConfig } from './ports.ts';

/** What each setting of a namespace has to be. */
export type SettingRules<T> = Readonly<Record<keyof T & string, DocumentRule>>;

/** The settings of a namespace, held to their rules. Each may be missing. @throws TypeError naming the place */
export function readSettings<T>({ namespaces }: Pick<SiteConfig, 'namespaces'>, name: string, rules: SettingRules<T>): Partial<T> {
  const given = own(namespaces, name) ?? {};
  checkDocument(`config.${name}`, given, objectOf(rules));
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}
