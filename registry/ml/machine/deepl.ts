import { isObject, own } from '../../../lib/core/objects.ts';
import type { Machine } from './machine.ts';
import type { MachineOptions } from './machine-options.ts';

/** Variants that the service knows, by language of the site. A language with other variants is sent without them. */
const VARIANTS: Readonly<Record<string, string>> = {
  en: 'EN-US', 'en-gb': 'EN-GB', 'en-us': 'EN-US', pt: 'PT-PT', 'pt-br': 'PT-BR', 'pt-pt': 'PT-PT', no: 'NB', nn: 'NB', 'es-419': 'ES-419',
  'zh-hans': 'ZH-HANS', 'zh-hant': 'ZH-HANT', 'zh-cn': 'ZH-HANS', 'zh-sg': 'ZH-HANS', 'zh-tw': 'ZH-HANT', 'zh-hk': 'ZH-HANT',
};

const toBase = (code: string): string => code.split('-')[0]?.toUpperCase() ?? '';

/** DeepL, `POST /v2/translate`: at most 50 texts and 128 KiB. The key is in the headers of the connection. */
export function createDeepl({ codes = {}, formality, glossaries = {} }: MachineOptions['deepl']): Machine {
  const toTarget = (code: string): string => own(codes, code) ?? own(VARIANTS, code.toLowerCase()) ?? toBase(code);
  return {
    id: 'deepl', label: 'DeepL', path: '/v2/translate', maxTexts: 50, maxBytes: 120 * 1024,
    // A source has no variant.
    toBody: (texts, { source, target }) => ({
      text: texts, source_lang: toBase(toTarget(source)), target_lang: toTarget(target), tag_handling: 'html',
      ...(formality === undefined ? {} : { formality }),
      ...(own(glossaries, `${source}:${target}`) === undefined ? {} : { glossary_id: own(glossaries, `${source}:${target}`) }),
    }),
    readTexts: ({ translations }) => (Array.isArray(translations) ? translations.map((each: unknown) => (isObject(each) ? each['text'] : undefined)) : null),
    statuses: { 456: 'the quota of the account is used up' },
  };
}
