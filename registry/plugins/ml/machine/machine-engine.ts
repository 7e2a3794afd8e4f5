import { createPause, type Ports, runInTurns, type Steps, toSlug } from '../../../plugin.ts';
import type { TextEngine, TextRequest } from '../engine/text-engine.ts';
import { createTermFinder, type TermFinder } from '../glossary/glossary.ts';
import type { JobTarget } from '../records/job-record.ts';
import { type JobField, readJsonText } from '../records/job-texts.ts';
import { warnOfTags, warnOfTerms } from '../segments/delivery-warnings.ts';
import { listLosses } from '../segments/losses.ts';
import { createDeepl } from './deepl.ts';
import { createLibreTranslate } from './libretranslate.ts';
import { type MachineText, toMachineText } from './machine-text.ts';
import type { Machine, MachineOptions } from './machine.ts';
import { type Client, sizeOf, translateTexts } from './send-texts.ts';

/** Fields that a machine can translate. JSON stays with people. A slug is translated as words. */
const toText = ({ id, source }: JobField): string => (id === 'URL' ? source.replaceAll('-', ' ') : source);
const isWritten = ({ path, source, id }: JobField): boolean =>
  (path === undefined || readJsonText(source) === undefined) && (id !== 'URL' || !source.includes('%'));

function toTarget(field: JobField, text: string): JobTarget {
  return { text: field.id === 'URL' ? toSlug(text) : text, state: 'initial' };
}

/** The translation of a field; null if it lost something that programs need, or is not complete. */
function* writeField(
  {
    field,
    cut,
    done,
    glossary,
  }: { field: JobField; cut: MachineText; done: ReadonlyMap<string, string>; glossary: TermFinder },
  { isShortcode, report }: TextRequest,
  { id, label }: Machine,
): Steps<JobTarget | null> {
  if (!cut.pieces.every((piece) => done.has(piece))) return null;
  const target = toTarget(field, cut.write(cut.pieces.map((piece) => done.get(piece) ?? '')));
  if (field.id === 'URL') return target.text === '' ? null : target;
  const losses = yield* listLosses(field.source, target.text, isShortcode);
  if (losses !== null) {
    report?.({
      engine: id,
      code: 'xliff_markup_lost',
      message: `${label}: ${field.id} lost ${Object.values(losses).flat().join(', ')}; it is left to people.`,
    });
    return null;
  }
  for (const { code, message } of [
    ...(yield* warnOfTags(field, target.text)),
    ...(yield* warnOfTerms(field, target.text, glossary)),
  ])
    report?.({ engine: id, code, message: `${label}: ${message}` });
  return target;
}

/** An engine that translates by a service behind the upstream port. It never throws for a service that fails: it reports, and people translate the rest. */
function createMachineEngine(client: Client): TextEngine {
  const { machine } = client;
  return {
    id: machine.id,
    label: machine.label,
    languages: [],
    async translate(request) {
      const glossary = createTermFinder(request.terms ?? []);
      const pause = createPause();
      const fields: { readonly field: JobField; readonly cut: MachineText }[] = [];
      for (const field of request.fields.filter(isWritten))
        fields.push({
          field,
          cut: await runInTurns(
            toMachineText(toText(field), { isShortcode: request.isShortcode, glossary }),
            pause,
          ),
        });
      const pieces = fields.flatMap(({ cut }) => cut.pieces);
      const long = fields
        .filter(({ cut }) => cut.pieces.some((piece) => sizeOf(piece) > machine.maxBytes))
        .map(({ field }) => field.id);
      if (long.length > 0)
        request.report?.({
          engine: machine.id,
          code: 'service_bad_response',
          message: `${machine.label}: a paragraph of ${long.join(', ')} is longer than the service allows.`,
        });
      const done = await translateTexts(client, pieces, request);
      const targets = new Map<string, JobTarget>();
      for (const each of fields) {
        const target = await runInTurns(writeField({ ...each, done, glossary }, request, machine), pause);
        if (target !== null) targets.set(each.field.id, target);
      }
      return targets;
    },
  };
}

/**
 * An engine for each machine translation service that the host connects.
 * @throws TypeError if the host has an engine of the same id
 */
export function createMachineEngines(
  { upstream, config }: Pick<Ports, 'upstream'> & { readonly config: Pick<Ports['config'], 'secret'> },
  {
    machines,
    textEngines,
  }: { readonly machines: MachineOptions; readonly textEngines: readonly TextEngine[] },
): readonly TextEngine[] {
  const connected = [
    createDeepl(machines.deepl, { upstream, secret: config.secret }),
    createLibreTranslate(machines.libretranslate),
  ].filter(({ id }) => upstream.origin(id) !== null);
  const taken = connected.find(({ id }) => textEngines.some((engine) => engine.id === id));
  if (taken !== undefined)
    throw new TypeError(
      `config.ml.textEngines: the id "${taken.id}" is that of the connected service; choose another one`,
    );
  return connected.map((machine) => createMachineEngine({ upstream, machine }));
}
