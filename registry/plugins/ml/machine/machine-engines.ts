import { type Ports, own } from '../../../plugin.ts';
import type { TextEngine } from '../engine/text-engine.ts';
import { createDeepl } from './deepl.ts';
import { createMachineEngine } from './machine-engine.ts';
import type { MachineOptions } from './machine-options.ts';
import type { Machine } from './machine.ts';

/** LibreTranslate, `POST /translate`. A server sets its own limits; these suit the usual ones. The key is part of the body. */
function createLibreTranslate({ codes = {}, apiKey }: MachineOptions['libretranslate']): Machine {
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
      ...(apiKey === undefined ? {} : { api_key: apiKey }),
    }),
    readTexts: ({ translatedText: texts }) => (Array.isArray(texts) ? texts : null),
    statuses: { 400: 'the service does not have one of the languages, or the texts are too long' },
  };
}

/**
 * An engine for each machine translation service that the host connects.
 * @throws TypeError if the host has an engine of the same id
 */
export function createMachineEngines(
  ports: Pick<Ports, 'upstream'> & { readonly config: Pick<Ports['config'], 'secret'> },
  {
    machines,
    textEngines,
  }: { readonly machines: MachineOptions; readonly textEngines: readonly TextEngine[] },
): readonly TextEngine[] {
  const connected = [
    createDeepl(machines.deepl, { upstream: ports.upstream, secret: ports.config.secret }),
    createLibreTranslate(machines.libretranslate),
  ].filter(({ id }) => ports.upstream.origin(id) !== null);
  const taken = connected.find(({ id }) => textEngines.some((engine) => engine.id === id));
  if (taken !== undefined)
    throw new TypeError(
      `config.ml.textEngines: the id "${taken.id}" is that of the connected service; choose another one`,
    );
  return connected.map((machine) => createMachineEngine(ports, machine));
}
