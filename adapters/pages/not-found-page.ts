import type { Engine } from '../../lib/index.ts';
import { toHtml, toTitle, type Answer } from './page-answer.ts';
import { toHomePath } from './page-language.ts';
import { textsOf } from './page-texts.ts';

/** The page of an address that does not exist. */
export function toNotFound(engine: Pick<Engine, 'prefixes'>, language: string): Answer {
  const { notFound, explanation, home } = textsOf(language);
  return toHtml(404, { language, head: toTitle(notFound), body: `<h1>${notFound}</h1><p>${explanation}</p><p><a href="${toHomePath(engine, language)}">${home}</a></p>` });
}
