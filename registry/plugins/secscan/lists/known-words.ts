/** Hosts of well-known link shorteners. */
export const SHORTENERS = [
  'bit.ly',
  'buff.ly',
  'cutt.ly',
  'goo.gl',
  'is.gd',
  'lnkd.in',
  'ow.ly',
  'rb.gy',
  'rebrand.ly',
  'shorturl.at',
  's.id',
  't.co',
  't.ly',
  'tiny.cc',
  'tinyurl.com',
  'v.gd',
] as const;

/** Phrases in the titles of hijacked sites. Compared case-insensitively. */
export const TITLE_PHRASES = [
  'buy viagra',
  'cheap viagra',
  'buy cialis',
  'cheap cialis',
  'online casino',
  'payday loan',
  'replica watches',
  'hacked by',
  'porn video',
  'free porn',
  'essay writing service',
  'crypto giveaway',
] as const;

/** Passwords of at least eight characters that password guessers try first. Lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  (
    '00000000 11111111 12341234 12345678 123456789 1234567890 123123123 87654321 88888888 ' +
    '987654321 1q2w3e4r 1q2w3e4r5t 1qaz2wsx abc12345 abcd1234 abcdefgh admin123 administrator ' +
    'asdfghjkl baseball changeme changeme1 computer dragon123 football hello123 iloveyou internet ' +
    'letmein1 letmein123 liverpool master123 michelle monkey123 p@ssw0rd passw0rd password ' +
    'password1 password12 password123 princess qwerty12 qwerty123 qwertyuiop secret123 starwars ' +
    'sunshine superman test1234 trustno1 welcome1 welcome123 whatever wachtwoord motdepasse ' +
    'azertyuiop geheim123 letmeinnow'
  ).split(' '),
);
