import type { Ports } from '../../../core/host/ports.ts';
import type { TextEngine } from '../engine/text-engine.ts';
import { createDeepl } from './deepl.ts';
import { createLibreTranslate } from './libretranslate.ts';
import { createMachineEngine } from './machine-engine.ts';
import type { MachineOptions } from './machine-options.ts';

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
