import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import { eq, not } from '../../../../lib/store/query.ts';
import type { StoredRecord } from '../../../../lib/store/store.ts';
import { findBadAddresses } from '../rules/addresses.ts';
import type { Scope } from '../rules/rule.ts';
import { optionRules } from '../rules/rules.ts';
import { isExternal, toUrl } from '../text/address.ts';
import type { ScannedAddress } from '../text/post-text.ts';
import type { Fault } from './issue-book.ts';

const ADDRESS = /\bhttps?:\/\/[^\s"'<>()\\]{1,2048}/gi;

/** The settings to scan: all except those of `secscan`, which contain the names of bad hosts. */
export const scannedOptions = { collection: 'options', where: not(eq('group', 'secscan')) } as const;

function* listTexts(value: Json): Generator<string> {
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') yield next;
    else if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).toReversed());
  }
}

function toAddress(text: string, { own }: Scope): ScannedAddress {
  const url = toUrl(text, own);
  return {
    text,
    element: '',
    link: true,
    loaded: false,
    url,
    external: url !== null && isExternal(url, own),
  };
}

/** The faults of one stored setting: checks every address in its texts. */
export function findOptionFaults(option: StoredRecord, scope: Scope): readonly Fault[] {
  const addresses = [...listTexts(option['value'] ?? null)]
    .flatMap((text) => text.match(ADDRESS) ?? [])
    .map((text) => toAddress(text, scope));
  if (addresses.length === 0) return [];
  return optionRules.flatMap((rule) => {
    const parts = findBadAddresses(rule, addresses, scope);
    return parts.length === 0
      ? []
      : [
          {
            rule,
            kind: 'option',
            object: option.id,
            label: `the setting ${String(option['group'])}/${String(option['key'])}`,
            parts,
          },
        ];
  });
}
