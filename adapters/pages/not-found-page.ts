import type { Engine } from '../../lib/index.ts';
import type { Answer } from './page-answer.ts';
import { showUnlisted } from './page-frame.ts';
import { toHomePath } from './page-language.ts';
import { textsOf } from './page-texts.ts';

/** Shows the page of an address that does not exist. @throws PageFailure for a failure of the site */
export function showNotFound(engine: Engine, language: string): Promise<Answer> {
  const { notFound, explanation, home } = textsOf(language);
  return showUnlisted(engine, notFound, {
    status: 404,
    language,
    main: `<h1>${notFound}</h1><p>${explanation}</p><p><a href="${toHomePath(engine, language)}">${home}</a></p>`,
  });
}
