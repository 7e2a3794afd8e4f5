/**
 * Plural rules for whole numbers by language, from CLDR 48 (`supplemental/plurals.json`, cardinal): the conditions of all forms but the
 * last in their order, and the languages. Conditions stand as in CLDR (UTS 35, part 3, 5.1). Forms that only fractions take are left out.
 */
export const PLURAL_RULES: readonly (readonly [conditions: readonly string[], languages: string])[] = [
  [
    ['n = 1'],
    'af an asa az bal bem bez bg brx ce cgg chr ckb dv ee el eo eu fo fur gsw ha haw hu jgo jmc ka kaj kcg kk kkj kl ks ksb ku ky lb lg mas mgo ml mn mr nah nb nd ne nn nnh no nr ny nyn om or os pap ps rm rof rwk saq sd sdh seh sn so sq ss ssy st syr ta te teo tig tk tn tr ts ug uz ve vo vun wae xh xog',
  ],
  [['n = 0..1'], 'ak bho csw guw ln mg nso pa ti wa'],
  [['i = 0 or n = 1'], 'am as bn doi fa gu hi kn kok kok-Latn pcm zu'],
  [['n = 0', 'n = 1', 'n = 2', 'n % 100 = 3..10', 'n % 100 = 11..99'], 'ar ars'],
  [['i = 1 and v = 0'], 'ast de en et fi fy gl ia ie io lij nl sc sv sw ur yi'],
  [['n % 10 = 1 and n % 100 != 11', 'n % 10 = 2..4 and n % 100 != 12..14'], 'be'],
  [['n = 0', 'n = 1'], 'blo cv ksh'],
  [
    [],
    'bm bo dz hnj id ig ii ja jbo jv jw kde kea km ko lkt lo ms my nqo osa sah ses sg su th to tpi und vi wo yo yue zh',
  ],
  [
    [
      'n % 10 = 1 and n % 100 != 11,71,91',
      'n % 10 = 2 and n % 100 != 12,72,92',
      'n % 10 = 3..4,9 and n % 100 != 10..19,70..79,90..99',
      'n != 0 and n % 1000000 = 0',
    ],
    'br',
  ],
  [
    [
      'v = 0 and i % 10 = 1 and i % 100 != 11 or f % 10 = 1 and f % 100 != 11',
      'v = 0 and i % 10 = 2..4 and i % 100 != 12..14 or f % 10 = 2..4 and f % 100 != 12..14',
    ],
    'bs hr sh sr',
  ],
  [
    ['i = 1 and v = 0', 'e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5'],
    'ca it lld pt-PT scn vec',
  ],
  [['v = 0 and i = 1,2,3 or v = 0 and i % 10 != 4,6,9 or v != 0 and f % 10 != 4,6,9'], 'ceb fil tl'],
  [['i = 1 and v = 0', 'i = 2..4 and v = 0'], 'cs sk'],
  [['n = 0', 'n = 1', 'n = 2', 'n = 3', 'n = 6'], 'cy'],
  [['n = 1 or t != 0 and i = 0,1'], 'da'],
  [
    [
      'v = 0 and i % 100 = 1 or f % 100 = 1',
      'v = 0 and i % 100 = 2 or f % 100 = 2',
      'v = 0 and i % 100 = 3..4 or f % 100 = 3..4',
    ],
    'dsb hsb',
  ],
  [['n = 1', 'e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5'], 'es'],
  [['i = 0,1'], 'ff hy kab'],
  [['i = 0,1', 'e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5'], 'fr'],
  [['n = 1', 'n = 2', 'n = 3..6', 'n = 7..10'], 'ga'],
  [['n = 1,11', 'n = 2,12', 'n = 3..10,13..19'], 'gd'],
  [['v = 0 and i % 10 = 1', 'v = 0 and i % 10 = 2', 'v = 0 and i % 100 = 0,20,40,60,80'], 'gv'],
  [['i = 1 and v = 0 or i = 0 and v != 0', 'i = 2 and v = 0'], 'he'],
  [['t = 0 and i % 10 = 1 and i % 100 != 11 or t % 10 = 1 and t % 100 != 11'], 'is'],
  [['n = 1', 'n = 2'], 'iu naq sat se sma smi smj smn sms'],
  [
    [
      'n = 0',
      'n = 1',
      'n % 100 = 2,22,42,62,82 or n % 1000 = 0 and n % 100000 = 1000..20000,40000,60000,80000 or n != 0 and n % 1000000 = 100000',
      'n % 100 = 3,23,43,63,83',
      'n != 1 and n % 100 = 1,21,41,61,81',
    ],
    'kw',
  ],
  [['n = 0', 'i = 0,1 and n != 0'], 'lag'],
  [['n % 10 = 1 and n % 100 != 11..19', 'n % 10 = 2..9 and n % 100 != 11..19'], 'lt'],
  [
    [
      'n % 10 = 0 or n % 100 = 11..19 or v = 2 and f % 100 = 11..19',
      'n % 10 = 1 and n % 100 != 11 or v = 2 and f % 10 = 1 and f % 100 != 11 or v != 2 and f % 10 = 1',
    ],
    'lv prg',
  ],
  [['v = 0 and i % 10 = 1 and i % 100 != 11 or f % 10 = 1 and f % 100 != 11'], 'mk'],
  [['i = 1 and v = 0', 'v != 0 or n = 0 or n != 1 and n % 100 = 1..19'], 'mo ro'],
  [['n = 1', 'n = 2', 'n = 0 or n % 100 = 3..10', 'n % 100 = 11..19'], 'mt'],
  [['i = 1 and v = 0', 'v = 0 and i % 10 = 2..4 and i % 100 != 12..14'], 'pl'],
  [['i = 0..1', 'e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5'], 'pt'],
  [['v = 0 and i % 10 = 1 and i % 100 != 11', 'v = 0 and i % 10 = 2..4 and i % 100 != 12..14'], 'ru uk'],
  [['n % 10 = 1 and n % 100 != 11', 'n = 2', 'n != 2 and n % 10 = 2..9 and n % 100 != 11..19'], 'sgs'],
  [['i = 0 or n = 1', 'n = 2..10'], 'shi'],
  [['n = 0,1 or i = 0 and f = 1'], 'si'],
  [['v = 0 and i % 100 = 1', 'v = 0 and i % 100 = 2', 'v = 0 and i % 100 = 3..4 or v != 0'], 'sl'],
  [['n = 0..1 or n = 11..99'], 'tzm'],
];
