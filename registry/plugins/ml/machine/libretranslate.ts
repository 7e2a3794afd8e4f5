import { own } from '../../../plugin.ts';
import type { Machine, MachineOptions } from './machine.ts';

/** LibreTranslate, `POST /translate`. A server sets its own limits; these suit the usual ones. The key is part of the body. */
export function createLibreTranslate({ codes = {}, apiKey }: MachineOptions['libretranslate']): Machine {
  const toCode = (code: string): string => own(codes, code) ?? code.split('-')[0]?.toLowerCase() ?? '';
  return {
    id: 'libretranslate',
    label: 'LibreTranslate',
    path: '/translate',
    maxTexts: 25,
    maxBytes: 16 * 1024,
    toBody: (texts, { source, target }) => ({
      q: texts,
      source: toCode(source),
      target: toCode(target),
      format: 'html',
      api_key: apiKey,
    }),
    readTexts: ({ translatedText: texts }) => (Array.isArray(texts) ? texts : null),
    statuses: { 400: 'the service does not have one of the languages, or the texts are too long' },
  };
}
