import { RestResponse } from '../../../../lib/http/response.ts';
import { defineNamespace, type Namespace } from '../../../../lib/route/namespace.ts';
import { pageHeaders, toOffset } from '../../../../lib/route/paging.ts';
import type { TranslationServices } from '../services/services.ts';
import { listLog, readWords } from './list-log.ts';
import { createReadEntries, type Entry } from './list-states.ts';
import { mlStatesDescriptor } from './state-routes.ts';
import { toEntryViews } from './state-view.ts';
import { TRANSLATION_STATES, type TranslationState } from './translation-state.ts';

type Counts = Record<TranslationState, number>;

const toZeros = (): Counts => Object.fromEntries(TRANSLATION_STATES.map((state) => [state, 0])) as Counts;

function countStates(entries: readonly Entry[]): Readonly<Record<string, Counts>> {
  const counts = new Map<string, Counts>();
  for (const { language, state } of entries) {
    const ofLanguage = counts.get(language) ?? toZeros();
    ofLanguage[state] += 1;
    counts.set(language, ofLanguage);
  }
  return Object.fromEntries(counts);
}

/** The routes that show what is translated. */
export function createStates(services: TranslationServices): Namespace {
  const readEntries = createReadEntries(services);
  return defineNamespace(mlStatesDescriptor, {
    'ml.states.list': async ({ page, per_page: perPage, ...filter }, call) => {
      const entries = await readEntries(filter, call);
      const offset = toOffset({ page, perPage, offset: undefined });
      return new RestResponse(await toEntryViews(services, entries.slice(offset, offset + perPage)), {
        headers: pageHeaders(call, { page, perPage, total: entries.length }),
      });
    },
    'ml.states.count': async (filter, call) => countStates(await readEntries(filter, call)),
    'ml.states.words': (args, call) => readWords(services, args, call),
    'ml.states.log': (args, call) => listLog(services, args, call),
  });
}
