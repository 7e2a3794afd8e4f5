import { own } from '../../../plugin.ts';
import { isHostOf, isPrivateHost, toAddressPart, toExcerpt } from '../text/address.ts';
import type { PostText, ScannedLink } from '../text/post-text.ts';
import type { PostRule, Scope } from './rule.ts';

/** A pattern of advertising that is typical for hijacked sites. `about`: what the issue shows. */
interface SpamPhrase {
  readonly about: string;
  readonly pattern: RegExp;
}

const SELL =
  'buy|buying|cheap|cheapest|order|purchase|discount|generic|online|no (?:prescription|rx)|without (?:a )?(?:prescription|rx)|for sale';
/** Medicines that are sold to people without a prescription: potency, pain, sleep, attention, weight, muscles. */
const DRUG =
  'viagra|cialis|levitra|kamagra|sildenafil|tadalafil|vardenafil|dapoxetine|tramadol|oxycontin|oxycodone|hydrocodone|percocet|vicodin|fentanyl|codeine|xanax|alprazolam|valium|diazepam|klonopin|ativan|ambien|zolpidem|adderall|ritalin|modafinil|phentermine|ozempic|wegovy|mounjaro|semaglutide|tirzepatide|ivermectin|clomid|propecia|accutane|trenbolone|dianabol';
/** Networks on which numbers are sold. */
const NETWORK = 'instagram|tiktok|youtube|facebook|twitter|telegram|spotify|linkedin';
/** Services for payment whose accounts are sold. */
const PAYER = 'paypal|cash ?app|venmo|stripe|wise|revolut|binance|coinbase|payoneer|skrill';
const COIN = 'btc|bitcoins?|eth|ethereum|crypto(?:currency)?|coins?|usdt|xrp|doge|tokens?';
/** At most three words between two others. */
const FEW_WORDS = '(?:\\W+\\w+){0,3}?\\W+';

const words = (source: string): RegExp => new RegExp(`\\b(?:${source})\\b`, 'i');

const DISGUISES: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  '|': 'l',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
};
const DISGUISED = /[a-z@$!|\d]{5,20}/gi;
const MEDICINE = new RegExp(`^(?:${DRUG})$`, 'i');

/** The first medicine that is written with digits or signs in place of letters, so that filters do not find it: `V1agra`. */
export function findDisguised(text: string): string | undefined {
  return text.match(DISGUISED)?.find((word) => {
    const plain = word.replaceAll(/[@$!|\d]/g, (sign) => own(DISGUISES, sign) ?? sign);
    return plain !== word && /[a-z]/i.test(word) && MEDICINE.test(plain);
  });
}

/** One medical or gambling word alone is not spam: only its offer is. Each pattern takes linear time. */
const SPAM_PHRASES: readonly SpamPhrase[] = [
  { about: 'medicine for sale', pattern: words(`(?:${SELL})${FEW_WORDS}(?:${DRUG})`) },
  {
    about: 'medicine for sale',
    pattern: words(
      `(?:${DRUG})(?:\\W+\\d+ ?mg)?${FEW_WORDS}(?:${SELL}|(?:overnight|next[- ]day|discreet|worldwide) (?:delivery|shipping)|free shipping|lowest price)`,
    ),
  },
  {
    about: 'medicine for sale',
    pattern: words(
      '(?:online|canadian|discount) pharmac(?:y|ies) (?:no|without|with cheap|overnight)|no prescription (?:needed|required)',
    ),
  },
  {
    about: 'slimming products',
    pattern: words(
      '(?:keto|cbd|weight loss|diet) (?:gummies|pills|patches) (?:for sale|free trial|reviews|official|discount)|(?:cbd|keto) (?:gummies|oil|pills)(?:\\W+\\w+){0,3}?\\W+\\d+ ?% off|lose \\d+ (?:kg|kilos|pounds|lbs) in \\d+ (?:days|weeks)',
    ),
  },
  {
    about: 'gambling',
    pattern: words(
      '(?:best|top|trusted|free|new) online (?:casinos?|slots?|poker|betting)|(?:casino|betting|poker) (?:welcome |sign-?up |no deposit )?bonus(?:es)?|no deposit bonus|(?:slots?|poker|roulette|blackjack|casino)(?: games?)? for real money|(?:betting|casino|1xbet|bet365)\\W+(?:use )?(?:promo|bonus) code|\\d+ free spins|(?:slot|judi|situs|agen|bandar|togel) (?:gacor|online|slot|bola|togel|terpercaya|judi)',
    ),
  },
  {
    about: 'gambling',
    pattern: words(
      '(?:crypto|bitcoin|live|online|mobile) casinos?(?:\\W+\\w+){0,4}?\\W+(?:bonus(?:es)?|free spins|withdrawals?|jackpots?|sign up)|\\d+ ?% (?:first )?(?:deposit|welcome|casino) bonus|(?:play|bet)(?:\\W+\\w+){0,4}?\\W+win real (?:cash|money)|win real (?:cash|money)(?:\\W+\\w+){0,5}?\\W+(?:slots?|casino|spins?|roulette|poker)',
    ),
  },
  {
    about: 'gambling',
    pattern: words(
      '(?:daftar|bocoran|bandar|agen|situs|judi)(?:\\W+\\w+)?\\W+(?:slot\\w*|togel|toto|gacor)|(?:link|rtp) (?:slot|togel|gacor)|togel (?:singapore|hongkong|sydney|sgp|hk|hari)|slot(?:77|88|99|777|888|online)|(?:mega|pussy|joker|live|kiss|xe)(?:88|123|888)|918kiss',
    ),
  },
  {
    about: 'loans',
    pattern: words(
      '(?:payday|instant|quick|fast) (?:cash )?loans? (?:online|approval|no credit|without|bad credit|today)|no credit check loans?|guaranteed loan approval',
    ),
  },
  {
    about: 'replicas',
    pattern: words(
      `(?<!(?:spot|spotting|identify|identifying|recogni[sz]e|detect|avoid|against|seized|confiscated|destroyed|about) (?:a |the )?)(?:replica|fake|imitation|knock-?off) (?:rolex|omega|louis vuitton|gucci|chanel|prada|hermes|designer|luxury|watches|handbags|bags|sneakers|jerseys)|cheap (?:nfl|nba|mlb|ugg|jordan|ray-?ban|oakley|louis vuitton|gucci|michael kors)(?:\\W+\\w+){0,2}\\W+(?:jerseys|boots|shoes|sunglasses|outlet|bags|handbags)`,
    ),
  },
  {
    about: 'essays for sale',
    pattern: words(
      'essay writing (?:service|company|help)|(?:write|do) my (?:essay|homework|assignment|dissertation)(?: for me)?|buy (?:an |cheap |custom )?(?:essays?|term papers?|dissertations?)|fake (?:diplomas?|passports?|ids?|driver.?s licen[cs]es?) (?:online|for sale)',
    ),
  },
  {
    about: 'documents and cards for sale',
    pattern: words(
      '(?:buy|order|purchase|get)(?:\\W+\\w+){0,4}?\\W+(?:fake|registered|counterfeit|genuine)(?:\\W+\\w+){0,2}?\\W+(?:passports?|id cards?|visas?|diplomas?|degrees?|licen[cs]es?|certificates?|bank ?notes|money)|(?:ielts|toefl|gmat|nclex|pmp)(?: \\w+)? certificates?(?:\\W+\\w+){0,3}?\\W+without (?:the |an )?exam|cloned (?:credit |debit |atm )?cards|(?:dumps|fullz|cvvs?) (?:with pin|for sale|shop|online)',
    ),
  },
  {
    about: 'accounts for sale',
    pattern: words(
      `(?:buy|get|order|purchase|sell(?:ing)?)(?:\\W+\\w+){0,3}?\\W+(?:verified|aged|pva) (?:${PAYER}|gmail|facebook|google|aws)(?:\\W+\\w+){0,2}?\\W+accounts?`,
    ),
  },
  {
    about: 'hired hackers',
    pattern: words(
      `(?:hire|contact|recommend)(?: an?| this| the)?(?: professional| ethical| certified| genuine| real| trusted)? hackers?|(?:hacker|recovery (?:expert|agent|company|specialist)s?)(?:\\W+\\w+){0,6}?\\W+(?:stolen|lost|scammed) (?:${COIN}|funds|money|wallet)`,
    ),
  },
  {
    about: 'pornography',
    pattern: words(
      'free (?:porn|xxx|sex)(?: videos?| movies?| cams?| chat)?|(?:porn|xxx) (?:videos?|movies?|tube)|live sex (?:cams?|chat)|(?:hot|sexy|local|russian) (?:singles|escorts|milfs|girls) (?:in your area|near you|waiting|online|available)|escort service',
    ),
  },
  {
    about: 'quick money',
    pattern: words(
      'make (?:money|\\$\\d[\\d,.]*) (?:online )?(?:fast|from home|per (?:day|week)|a day|a week|overnight)|earn \\$?\\d[\\d,.]*\\$? (?:per|a|every|each) (?:day|hour|week)|work from home and earn|get rich quick',
    ),
  },
  {
    about: 'links for sale',
    pattern: words(
      '(?:instagram|tiktok|youtube|facebook|twitter) (?:followers|likes|subscribers|views) (?:cheap|for sale)|buy (?:backlinks|followers|likes|subscribers|traffic|guest posts?|instagram followers)|(?:cheap|high[- ]da|dofollow) (?:backlinks|guest posts?)',
    ),
  },
  {
    about: 'links for sale',
    pattern: words(
      `(?:buy|get|order|gain)(?:\\W+\\w+){0,2}?\\W+[\\d,.]+ ?k?(?: real| active| organic)? (?:${NETWORK}) (?:followers|likes|subscribers|views|members|plays)|(?:buy|order|purchase)(?:\\W+\\w+){0,3}?\\W+(?:google|trustpilot|yelp|tripadvisor|amazon|facebook) reviews|(?:guest posts?|links?|backlinks)(?:\\W+\\w+){0,3}?\\W+(?:da|dr) ?\\d+\\+?(?: sites?| blogs?)?|(?:da|dr) ?\\d+\\+? (?:backlinks|guest posts?|links)`,
    ),
  },
  {
    about: 'a scheme that doubles money',
    pattern: words(
      `(?:doubles?|triples?|multipl(?:y|ies)|2x|3x|5x|10x)${FEW_WORDS}(?:${COIN}|deposit|investment)`,
    ),
  },
  {
    about: 'a scheme that doubles money',
    pattern: words(
      `(?:invest|deposit) \\$?\\d[\\d,.]*\\$?(?:\\W+\\w+){0,2}?\\W+(?:and|to) (?:earn|get|make|receive)|turn \\d[\\d,.]* ?(?:${COIN}) into`,
    ),
  },
  {
    about: 'a scheme that doubles money',
    pattern: words(
      `send${FEW_WORDS}(?:${COIN})(?:\\W+\\w+){0,12}?\\W+(?:receive|get|and we(?: will|'ll)? (?:send|return))(?:\\W+\\w+){0,4}?\\W+(?:back|double|twice|2x|\\d)`,
    ),
  },
  {
    about: 'a scheme that doubles money',
    pattern: words(
      `(?:${COIN}) (?:giveaway|doubl(?:er|ing))|guaranteed (?:daily |weekly |monthly )?(?:profits?|returns?)|\\d+ ?% (?:daily|weekly|per day|a day|every day)(?:\\W+\\w+){0,3}?\\W+(?:profits?|returns?|interest|roi)|(?:profits?|returns?|roi) of \\d+ ?% (?:daily|weekly|per day|a day|every day)`,
    ),
  },
  {
    about: 'a message of intruders',
    pattern: words('(?:hacked|defaced|pwned|owned) by|was here and hacked'),
  },
  {
    about: 'Japanese shops of copies',
    pattern:
      /スーパー\s?コピー|(?:オンカジ|オンラインカジノ)[^。]{0,12}(?:ボーナス|おすすめ|ランキング|登録)|入金不要ボーナス|ブランドコピー|コピー(?:ブランド|時計|商品|品通販)|偽(?:ブランド|物通販)|[nN]級品|(?:激安|格安|最安値)(?:通販|販売|専門店|ショップ|セール|ブランド|正規)|(?:ロレックス|ヴィトン|シャネル|グッチ|エルメス|プラダ|コーチ|モンクレール)\s*(?:コピー|激安|偽物|アウトレット|通販)|(?:通販|販売).{0,10}激安|(?:ロレックス|ヴィトン|シャネル|グッチ|エルメス|プラダ)[^。]{0,12}(?:コピー|激安|格安|偽物)|(?:モンクレール|コーチ|バーバリー|ナイキ|ティファニー|オメガ|カルティエ)[^。]{0,12}(?:スーパーコピー|激安|偽物)|カジノ[^。]{0,10}(?:ボーナス|おすすめ|登録)|出会い系(?:サイト)?(?:無料|おすすめ)|無修正動画|(?:バイアグラ|シアリス|レビトラ).{0,8}(?:通販|激安|格安|購入|販売|個人輸入)/u,
  },
  {
    about: 'Chinese gambling and invoices',
    pattern:
      /代开(?:发票|發票)|(?:澳门|澳門|网上|網上|线上)(?:赌场|賭場|博彩|娱乐城|娛樂城)|百家乐(?:平台|网址|注册)|六合彩(?:开奖|特码|资料)|(?:办理|购买)假(?:证|文凭)/u,
  },
  {
    about: 'Korean gambling',
    pattern: /(?:카지노|바카라|토토|슬롯)\s?(?:사이트|추천|먹튀)|먹튀검증|출장안마/u,
  },
  {
    about: 'Russian gambling and documents',
    pattern:
      /(?:онлайн[- ]казино|казино[- ]онлайн|казино вулкан|вулкан казино)|купить (?:диплом|виагру|права)|(?:проститутки|индивидуалки) (?:москвы|питера|спб)|ставки на спорт бонус/iu,
  },
];

/** Fewer links than this are not spam, whatever their share of the text. */
const FEW = 5;

/** Links to hosts that are neither trusted nor private. */
export function listStrangeLinks(post: PostText, { trusted }: Scope): readonly ScannedLink[] {
  return post.links.filter(({ url }) => !isHostOf(url.hostname, trusted) && !isPrivateHost(url.hostname));
}

const SPAM = { type: 'postSpam', severity: 50 } as const;

/** Rules about link spam in one text. The rule about links that many texts share is `repeated-link`. */
export const spamRules: readonly PostRule[] = [
  {
    id: 'many-links',
    ...SPAM,
    message: 'The text links to other sites too often.',
    check: (post, scope) => {
      const { length } = listStrangeLinks(post, scope);
      return length > scope.settings['links.maxExternal'] ? [toExcerpt(`${length} links`)] : [];
    },
  },
  {
    id: 'link-share',
    ...SPAM,
    message: 'The text is little more than links to other sites.',
    check: (post, scope) => {
      const links = listStrangeLinks(post, scope);
      const share = (100 * links.reduce((sum, link) => sum + link.length, 0)) / Math.max(1, post.length);
      return links.length >= FEW && share > scope.settings['links.maxShare']
        ? [toExcerpt(`${Math.round(share)} % of the text`)]
        : [];
    },
  },
  {
    id: 'hidden-link',
    ...SPAM,
    message: 'The text links to another site where readers cannot see it.',
    check: (post) => post.links.filter(({ hidden }) => hidden).map(({ url }) => toAddressPart(url)),
  },
  {
    id: 'spam-phrase',
    ...SPAM,
    message: 'The text contains advertising that is typical for hijacked sites.',
    check: ({ words }) => {
      const disguised = findDisguised(words);
      return [
        ...(disguised === undefined ? [] : [toExcerpt(`a disguised medicine: ${disguised}`)]),
        ...SPAM_PHRASES.flatMap(({ about, pattern }) => {
          const [found] = pattern.exec(words) ?? [];
          return found === undefined ? [] : [toExcerpt(`${about}: ${found}`)];
        }),
      ];
    },
  },
  {
    id: 'crowded-text',
    ...SPAM,
    message: 'The text contains so many elements that only the first ones were scanned.',
    check: ({ crowded, elements }) => (crowded ? [toExcerpt(`more than ${elements.length} elements`)] : []),
  },
];
