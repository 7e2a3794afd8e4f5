import { activeContentRules } from './active-content.ts';
import { ADDRESS_RULES, addressRules, type AddressRule } from './addresses.ts';
import { hiddenScriptRules } from './hidden-scripts.ts';
import { keyRules } from './keys.ts';
import { passwordRules } from './passwords.ts';
import { REPEATED_LINK } from './repeated-links.ts';
import type { PostRule, RuleRow } from './rule.ts';
import { siteRules } from './site.ts';
import { spamRules } from './spam.ts';
import { styleRules } from './styles.ts';
import { titleRules } from './titles.ts';

/** Every rule about one text. */
export const postRules: readonly PostRule[] = [
  ...activeContentRules,
  ...styleRules,
  ...hiddenScriptRules,
  ...keyRules,
  ...addressRules,
  ...titleRules,
  ...spamRules,
  ...passwordRules,
];

/** A rule about stored settings. */
export interface OptionRule extends RuleRow {
  readonly isBad: AddressRule['isBad'];
}

/** Rules about what a text loads, or what its readers may follow. */
const OF_TEXTS: ReadonlySet<string> = new Set(['insecure-content', 'program']);

/** The address rules for stored settings, which do not load anything. */
export const optionRules: readonly OptionRule[] = ADDRESS_RULES.filter(({ id }) => !OF_TEXTS.has(id)).map(
  ({ id, severity, message, isBad }) => ({
    id: `option-${id}`,
    type: 'optionBadURL',
    severity,
    message: `A setting: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    isBad,
  }),
);

/** Not a fault of the site: the scan did not finish. */
export const TIME_LIMIT: RuleRow = {
  id: 'time-limit',
  type: 'timelimit',
  severity: 50,
  message: 'The scan reached its time limit; not everything was scanned.',
};

/** Not a fault of the record either, but someone should find out why it could not be scanned. */
export const UNREAD: RuleRow = {
  id: 'unread',
  type: 'timelimit',
  severity: 50,
  message: 'This record could not be scanned; all others were.',
};

/** All rules by id. */
export const RULES: ReadonlyMap<string, RuleRow> = new Map(
  [...postRules, REPEATED_LINK, ...siteRules, ...optionRules, TIME_LIMIT, UNREAD].map((rule) => [
    rule.id,
    rule,
  ]),
);

export { siteRules };
