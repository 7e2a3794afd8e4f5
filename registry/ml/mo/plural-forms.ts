import { own } from '../../../lib/core/objects.ts';

// Rules of the gettext manual (11.2.6 "Additional functions for plural forms"), for languages with a rule other than English.
const ONE = 'nplurals=1; plural=0;';
const FRENCH = 'nplurals=2; plural=(n > 1);';
const SLAVIC = 'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);';
const CZECH = 'nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;';

const FORMS: Readonly<Record<string, string>> = {
  ja: ONE, ko: ONE, zh: ONE, vi: ONE, th: ONE, id: ONE, fr: FRENCH, pt_BR: FRENCH, tr: FRENCH,
  ru: SLAVIC, uk: SLAVIC, be: SLAVIC, sr: SLAVIC, hr: SLAVIC, bs: SLAVIC, cs: CZECH, sk: CZECH,
  pl: 'nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);',
  ar: 'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);',
};

/** The `Plural-Forms` header of a .mo file in this locale (`fr_FR`). */
export function pluralForms(locale: string): string {
  return own(FORMS, locale) ?? own(FORMS, locale.split('_')[0] ?? '') ?? 'nplurals=2; plural=(n != 1);';
}
