/** A form of a secret. `about`: whose key it is. */
interface KeyForm {
  readonly about: string;
  readonly pattern: RegExp;
}

/** Secrets that services recognise by their form. Public keys and certificates are not secret. */
export const KEY_FORMS: readonly KeyForm[] = [
  { about: 'an access key of AWS', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  {
    about: 'a secret key of AWS',
    pattern:
      /\baws_?secret_?(?:access_?)?key["']?\s{0,5}[:=]\s{0,5}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi,
  },
  { about: 'a token of GitHub', pattern: /\bgh[oprsu]_[A-Za-z0-9]{36,255}\b|\bgithub_pat_\w{40,255}\b/g },
  { about: 'a token of GitLab', pattern: /\bglpat-[\w-]{20,64}/g },
  { about: 'a live key of Stripe', pattern: /\b(?:sk|rk)_live_[A-Za-z0-9]{16,255}\b/g },
  {
    about: 'a token of Slack',
    pattern: /\bxox[abeoprs]-(?:\d+-)?[A-Za-z0-9-]{10,255}|\bxapp-\d-[A-Za-z0-9-]{20,255}/g,
  },
  {
    about: 'a webhook of Slack',
    pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/T[A-Z0-9]{6,12}\/[A-Z0-9]{6,14}\/\w{16,}/g,
  },
  { about: 'a key of SendGrid', pattern: /\bSG\.[\w-]{16,32}\.[\w-]{32,64}\b/g },
  { about: 'a token of npm', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  {
    about: 'a private key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s*[\w-]{1,40}: [^\n]{1,120}\n){0,8}\s*[A-Za-z0-9+/=][A-Za-z0-9+/=\s]{59,}/g,
  },
];

/** Keys of documentation: the word "example", or a filling character six times in a row. */
const PLACEHOLDER = /example|your[-_]|([x0*.…])\1{5}/i;

/** Whether a key is a placeholder in a documentation. */
export function isPlaceholder(key: string): boolean {
  return PLACEHOLDER.test(key);
}
