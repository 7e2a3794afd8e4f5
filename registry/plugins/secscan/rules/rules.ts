import { fold } from '../../../../lib/index.ts';
import { COMMON_PASSWORDS } from '../settings/known-hosts.ts';
import { type Excerpt, isExternal, isHostOf, normaliseAddress, toExcerpt, toUrl } from '../text/address.ts';
import type { PostText } from '../text/post-text.ts';
import { holdsScript, listScriptShortcodes, withoutDisguise } from '../text/style.ts';
import { activeContentRules } from './active-content.ts';
import { ADDRESS_RULES, type AddressRule, addressRules, REPEATED_LINK } from './addresses.ts';
import type { PostRule, RuleRow, Scope, SiteFacts, SiteFault, SiteRule } from './rule.ts';
import { spamRules } from './spam.ts';

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

type User = SiteFacts['weakPasswords'][number];

/** Users, each an object of its own. */
const toUserFaults = (users: readonly User[]): readonly SiteFault[] =>
  users.map(({ id, login }) => ({ object: id, label: login, parts: [toExcerpt(login)] }));

/** The fault of the site itself. `parts`: empty if there is none. */
export const toSiteFaults = (parts: readonly string[]): readonly SiteFault[] =>
  parts.length === 0 ? [] : [{ object: 0, label: 'the site', parts: parts.map(toExcerpt) }];

function isLike(login: string, pattern: string): boolean {
  return pattern.endsWith('*')
    ? fold(login).startsWith(fold(pattern.slice(0, -1)))
    : fold(login) === fold(pattern);
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}

const OF_USERS = { severity: 75, object: 'user' } as const;
const OF_SITE = { severity: 75, object: 'site' } as const;

/** Rules about everything except texts. Paths are not shown, because readers of issues need not know where the data is. */
export const siteRules: readonly SiteRule[] = [
  {
    ...OF_USERS,
    id: 'weak-user-password',
    type: 'easyPassword',
    message: 'The password of a user is easy to guess.',
    check: ({ weakPasswords }) => toUserFaults(weakPasswords),
  },
  {
    ...OF_USERS,
    id: 'unexpected-administrator',
    type: 'suspiciousAdminUsers',
    message: 'An administrator was added since the first scan.',
    check: ({ administrators }) => toUserFaults(administrators.filter(({ expected }) => !expected)),
  },
  {
    ...OF_USERS,
    id: 'administrator-without-email',
    type: 'suspiciousAdminUsers',
    message: 'An administrator has no e-mail address.',
    check: ({ administrators }) => toUserFaults(administrators.filter(({ email }) => email.trim() === '')),
  },
  {
    ...OF_USERS,
    id: 'administrator-name',
    type: 'suspiciousAdminUsers',
    message: 'An administrator has a suspicious name.',
    check: ({ administrators }, { settings }) =>
      toUserFaults(
        administrators.filter(({ login }) =>
          settings['users.suspiciousLogins'].some((pattern) => isLike(login, pattern)),
        ),
      ),
  },
  {
    ...OF_SITE,
    id: 'served-data',
    type: 'publiclyAccessible',
    message: 'The data directory is inside a public directory.',
    check: ({ dataDirectory, servedDirectories }) => {
      const isServed =
        dataDirectory !== '' && servedDirectories.some((directory) => isInside(dataDirectory, directory));
      return toSiteFaults(isServed ? ['data directory'] : []);
    },
  },
  {
    ...OF_SITE,
    id: 'vulnerable-package',
    type: 'packageVulnerable',
    message: 'A package of the server has a known vulnerability.',
    check: ({ vulnerablePackages }) =>
      toSiteFaults(vulnerablePackages.map(({ name, title }) => `${name}: ${title}`)),
  },
  {
    ...OF_SITE,
    id: 'disk-space',
    type: 'diskSpace',
    message: 'The disk is almost full.',
    check: ({ freeMegabytes }, { settings }) =>
      toSiteFaults(
        freeMegabytes !== null && freeMegabytes < settings['disk.minFreeMegabytes'] ? ['free space'] : [],
      ),
  },
];

// Controls except tab and line ends; embeddings, overrides and isolates. Plain direction marks and joiners are legitimate in some scripts.
const INVISIBLE = /(?![\t\n\r])\p{Cc}|[\u200B\u2060\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

function toCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Rules for titles. */
const titleRules: readonly PostRule[] = [
  {
    id: 'title-phrase',
    type: 'postBadTitle',
    severity: 75,
    message: 'The title contains an unwanted phrase.',
    check: ({ title }, { settings }) => {
      const folded = fold(title);
      return settings['titles.phrases'].filter((phrase) => folded.includes(fold(phrase))).map(toExcerpt);
    },
  },
  {
    id: 'title-invisible',
    type: 'postBadTitle',
    severity: 75,
    message: 'The title contains invisible characters.',
    check: ({ title }) =>
      [...new Set(title.match(INVISIBLE) ?? [])].map((character) => toExcerpt(toCodePoint(character))),
  },
];

const UNSAFE = { type: 'postScriptInjection', severity: 100 } as const;

/** Every style of a text, as a browser reads it: style elements, and style attributes. */
function listStyles({ elements }: PostText): readonly string[] {
  return elements
    .flatMap(({ name, text, attributes }) => [
      ...(name === 'style' ? [text] : []),
      ...(attributes.has('style') ? [attributes.get('style') ?? ''] : []),
    ])
    .map(withoutDisguise);
}

const IMPORT = /@import\s{0,9}(?:url\(\s{0,9})?["']?([^"');\s]{1,2048})/gi;
const SCRIPT =
  /(?:java|vb|live)script\s{0,9}:|\bexpression\s{0,9}\(|-moz-binding\s{0,9}:|\bbehaviou?r\s{0,9}:\s{0,9}url|url\(\s{0,9}["']?data:text\/html/i;

function listImports(style: string, { own, trusted }: Scope): readonly Excerpt[] {
  return [...style.matchAll(IMPORT)].flatMap(([, address = '']) => {
    const url = toUrl(normaliseAddress(address), own);
    return url !== null &&
      isExternal(url, own) &&
      !isHostOf(url.hostname, trusted) &&
      !isHostOf(url.hostname, STYLE_HOSTS)
      ? [toExcerpt(address)]
      : [];
  });
}

/** Hosts of fonts, whose styles many posts import. */
const STYLE_HOSTS: ReadonlySet<string> = new Set([
  'fonts.googleapis.com',
  'fonts.bunny.net',
  'use.typekit.net',
  'use.fontawesome.com',
  'cdnjs.cloudflare.com',
]);

/** Rules for styles that load or run something. */
const styleRules: readonly PostRule[] = [
  {
    id: 'style-import',
    each: 'elements',
    ...UNSAFE,
    severity: 75,
    message: 'A style loads rules from another site.',
    check: (post, scope) => listStyles(post).flatMap((style) => listImports(style, scope)),
  },
  {
    id: 'style-script',
    each: 'elements',
    ...UNSAFE,
    message: 'A style runs a script.',
    check: (post) => listStyles(post).flatMap((style) => (SCRIPT.test(style) ? [toExcerpt(style)] : [])),
  },
];

const SHORTEST = 8;

function toBare(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function isOfPost({ password, slug, title }: PostText): boolean {
  const words = [title, slug, ...title.split(/\s+/), ...slug.split('-')].map(toBare);
  return words.includes(toBare(password));
}

/** What is wrong with a password, and what an issue says of it. The first one counts. */
const WEAKNESSES: readonly (readonly [
  weakness: string,
  message: string,
  is: (password: string, post: PostText) => boolean,
])[] = [
  ['empty', 'The password of the post is blank.', (password) => password === ''],
  [
    'short',
    `The password of the post has fewer than ${SHORTEST} characters.`,
    (password) => [...password].length < SHORTEST,
  ],
  [
    'common',
    'The password of the post is one of the most common passwords.',
    (password) => COMMON_PASSWORDS.has(password.toLowerCase()),
  ],
  ['title', 'The password of the post is part of its title or address.', (_password, post) => isOfPost(post)],
];

/** The first weakness of the password of a post; undefined if it is strong or if there is none. */
function findWeakness(post: PostText): string | undefined {
  const password = post.password.trim();
  return post.password === '' ? undefined : WEAKNESSES.find(([, , is]) => is(password, post))?.[0];
}

/** Rules about passwords of posts. Their issues never contain the password. */
const passwordRules: readonly PostRule[] = WEAKNESSES.map(([weakness, message]) => ({
  id: `password-${weakness}`,
  type: 'easyPassword',
  severity: 75,
  message,
  check: (post) =>
    post.kind === 'post' && findWeakness(post) === weakness ? [{ shown: weakness, full: post.password }] : [],
}));

/** As much of a key as is needed to find it again. */
const SHOWN = 8;

function listKeys(text: string): readonly Excerpt[] {
  return KEY_FORMS.flatMap(({ about, pattern }) =>
    (text.match(pattern) ?? [])
      .filter((key) => !PLACEHOLDER.test(key))
      .map((key) => ({ shown: `${about}: ${key.slice(0, SHOWN)}…`, full: key })),
  );
}

/** The rule about secrets in texts, also in code. Its issues never contain the whole key. */
const keyRules: readonly PostRule[] = [
  {
    id: 'leaked-key',
    type: 'publiclyAccessible',
    severity: 75,
    message: 'The text contains a key that must stay secret.',
    check: ({ words, code, elements }) =>
      [words, code, ...elements.filter(({ name }) => name === 'script').map(({ text }) => text)].flatMap(
        listKeys,
      ),
  },
];

/** A block begins with its name; see `registry/core/content/html/blocks.ts`. */
const BLOCK = /^\s*\/?[a-z][\w-]*:[\w/-]+/i;
/** PHP as a browser shows it, and as the HTML parser reads it: `<?php` begins a comment. */
const PHP = /<\?(?:php\b|=)|\beval\s{0,9}\(\s{0,9}(?:base64_decode|gzinflate|str_rot13)\s{0,9}\(/i;

/** Rules for scripts where no browser runs them yet: another program may. */
const hiddenScriptRules: readonly PostRule[] = [
  {
    id: 'block-script',
    each: 'comments',
    ...UNSAFE,
    message: 'The attributes of a block contain a script.',
    check: ({ comments }) => comments.filter((text) => BLOCK.test(text) && holdsScript(text)).map(toExcerpt),
  },
  {
    id: 'comment-script',
    each: 'comments',
    ...UNSAFE,
    severity: 50,
    message: 'A comment contains a script.',
    check: ({ comments }) => comments.filter((text) => !BLOCK.test(text) && holdsScript(text)).map(toExcerpt),
  },
  {
    id: 'shortcode-script',
    ...UNSAFE,
    message: 'The attributes of a shortcode contain a script.',
    check: ({ words }) => listScriptShortcodes(words).map(toExcerpt),
  },
  {
    id: 'server-code',
    ...UNSAFE,
    severity: 75,
    message: 'The text contains program code of a server.',
    check: ({ words, comments }) =>
      [words, ...comments.filter((text) => text.startsWith('?')).map((text) => `<${text}`)].flatMap(
        (text) => {
          const [found] = PHP.exec(text) ?? [];
          return found === undefined ? [] : [toExcerpt(text.slice(text.indexOf(found)))];
        },
      ),
  },
];

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
interface OptionRule extends RuleRow {
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
