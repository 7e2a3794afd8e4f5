import { isObject, own } from '../../../plugin.ts';
import { findDeeplGlossary } from './deepl-glossary.ts';
import type { MachineOptions } from './machine-options.ts';
import type { LanguagePair, Machine } from './machine.ts';

/** Variants that the service knows, by language of the site. A language with other variants is sent without them. */
const VARIANTS: Readonly<Record<string, string>> = {
  en: 'EN-US',
  'en-gb': 'EN-GB',
  'en-us': 'EN-US',
  pt: 'PT-PT',
  'pt-br': 'PT-BR',
  'pt-pt': 'PT-PT',
  no: 'NB',
  nn: 'NB',
  'es-419': 'ES-419',
  'zh-hans': 'ZH-HANS',
  'zh-hant': 'ZH-HANT',
  'zh-cn': 'ZH-HANS',
  'zh-sg': 'ZH-HANS',
  'zh-tw': 'ZH-HANT',
  'zh-hk': 'ZH-HANT',
};

const toBase = (code: string): string => code.split('-')[0]?.toUpperCase() ?? '';

/** DeepL, `POST /v2/translate`: at most 50 texts and 128 KiB. The key is in the headers of the connection. */
export function createDeepl(
  { codes = {}, formality, glossaries = {}, syncGlossary = false }: MachineOptions['deepl'],
  ports: Parameters<typeof findDeeplGlossary>[0],
): Machine {
  const toTarget = (code: string): string =>
    own(codes, code) ?? own(VARIANTS, code.toLowerCase()) ?? toBase(code);
  const toPair = ({ source, target }: LanguagePair): LanguagePair => ({
    source: toBase(toTarget(source)).toLowerCase(),
    target: toBase(toTarget(target)).toLowerCase(),
  });
  return {
    id: 'deepl',
    label: 'DeepL',
    path: '/v2/translate',
    maxTexts: 50,
    maxBytes: 120 * 1024,
    // A source has no variant.
    async findGlossary({ source, target, terms, signal, isLost }) {
      const named = own(glossaries, `${source}:${target}`);
      return (
        named ??
        (syncGlossary
          ? findDeeplGlossary(ports, {
              languages: { source, target },
              pair: toPair({ source, target }),
              terms,
              signal,
              isLost,
            })
          : null)
      );
    },
    toBody: (texts, { source, target }, glossary) => ({
      text: texts,
      source_lang: toBase(toTarget(source)),
      target_lang: toTarget(target),
      tag_handling: 'html',
      ...(formality === undefined ? {} : { formality }),
      ...(glossary === null ? {} : { glossary_id: glossary }),
    }),
    readTexts: ({ translations }) =>
      Array.isArray(translations)
        ? translations.map((each: unknown) => (isObject(each) ? each['text'] : undefined))
        : null,
    statuses: { 456: 'the quota of the account is used up' },
  };
}
