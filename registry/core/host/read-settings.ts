import { checkDocument, type DocumentRule, objectOf } from '../../../lib/core/check-document.ts';
import { defined, own } from '../../../lib/core/objects.ts';
import type { SiteConfig } from './ports.ts';

/** The rule that each setting of a namespace must meet. */
export type SettingRules<T> = Readonly<Record<keyof T & string, DocumentRule>>;

/** Reads and validates the settings of a namespace. Each may be missing. @throws TypeError with the place of the faulty setting */
export function readSettings<T>(
  { namespaces }: Pick<SiteConfig, 'namespaces'>,
  name: string,
  rules: SettingRules<T>,
): Partial<T> {
  const given = own(namespaces, name) ?? {};
  checkDocument(`config.${name}`, given, objectOf(rules));
  return defined(given) as Partial<T>;
}
