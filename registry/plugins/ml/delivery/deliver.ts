import type { Values } from '../../../../lib/index.ts';
import { createPause, listShortcodes, own, runInTurns } from '../../../plugin.ts';
import { NO_TERMS, readGlossary, type TermFinder } from '../glossary/glossary.ts';
import { checkStaleness, readConfig } from '../posts/source-texts.ts';
import { REVIEW } from '../records/collections.ts';
import { mlError } from '../records/errors.ts';
import {
  ENGINE_STATUS,
  IN_REVIEW,
  type Job,
  JOB_STATUS,
  type JobTarget,
  type JobTargets,
  nameUser,
  saveJob,
} from '../records/job-record.ts';
import { readJsonText } from '../records/job-texts.ts';
import { sendNotices } from '../records/notices.ts';
import {
  type DeliveryWarning,
  warnOfCleaning,
  warnOfCodes,
  warnOfTags,
  warnOfTerms,
  warnOfUnits,
} from '../segments/delivery-warnings.ts';
import { listLosses, type Losses } from '../segments/losses.ts';
import { joinFields } from '../segments/split-text.ts';
import type { TranslationServices } from '../services/services.ts';
import {
  readXliffInSlices,
  XliffError,
  type ReadXliff,
  type SourceOf,
  type XliffTarget,
} from '../xliff/xliff-read.ts';
import { readOriginal } from '../xliff/xliff-write.ts';
import { cleanText } from './clean-texts.ts';

function toText(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw mlError('not_xml_file', { message: 'The file must be UTF-8 text.', cause });
  }
}

async function read(bytes: Uint8Array, sourceOf: SourceOf): Promise<ReadXliff> {
  try {
    return await readXliffInSlices(toText(bytes), sourceOf);
  } catch (error) {
    if (error instanceof XliffError) throw mlError(error.code, { message: error.message, cause: error });
    throw error;
  }
}

/** @throws RestError `xliff_does_not_match` for a file that this site did not create for this job */
function checkOrigin(secret: Uint8Array, job: Job, file: ReadXliff): string {
  const revision = readOriginal(secret, file.original, { job: job.id, post: job.post });
  if (revision === null) throw mlError('xliff_does_not_match');
  const languages = [
    [file.source, job.source],
    [file.target, job.target],
  ] as const;
  const wrong = languages.find(([given, wanted]) => given !== '' && given.toLowerCase() !== wanted);
  if (wrong !== undefined)
    throw mlError('xliff_does_not_match', {
      message: `The file has the language "${wrong[0]}", but the job has "${wrong[1]}".`,
    });
  return revision;
}

/** @throws RestError `xliff_invalid` for missing texts, unless the file was made from an older revision of the post */
function checkTargets(job: Job, known: readonly XliffTarget[], revision: string): void {
  const given = new Set(known.map((target) => target.id));
  const empty = known.filter(({ text }) => (text ?? '').trim() === '').map(({ id }) => id);
  const missing =
    revision === job.revision ? job.fields.map((field) => field.id).filter((id) => !given.has(id)) : [];
  if (known.length === 0)
    throw mlError('xliff_invalid', { message: 'The file does not contain any text of the job.' });
  if (empty.length > 0)
    throw mlError('xliff_invalid', {
      message: `These units have no target: ${empty.join(', ')}`,
      data: { units: empty },
    });
  if (missing.length > 0)
    throw mlError('xliff_invalid', {
      message: `These units are missing: ${missing.join(', ')}`,
      data: { units: missing },
    });
}

/** Whether a name is that of a shortcode even without a closing tag. */
type IsShortcode = (name: string) => boolean;

/**
 * Every text keeps the shortcodes, placeholders and blocks of its source, and JSON stays JSON.
 * @throws RestError `xliff_markup_lost`, `xliff_invalid`
 */
async function checkLosses(job: Job, targets: readonly XliffTarget[], isKnown: IsShortcode): Promise<void> {
  const pause = createPause();
  const fields = new Map(job.fields.map((field) => [field.id, field]));
  // The closing tag of a shortcode may be in another segment.
  const names = new Set<string>();
  for (const { field } of joinFields(job.fields))
    for (const name of await runInTurns(listShortcodes(field.source, isKnown), pause))
      names.add(name.replace(/^\//, ''));
  const isShortcode: IsShortcode = (name) => names.has(name) || isKnown(name);
  const units = new Map<string, Losses>();
  for (const { id, text } of targets) {
    await pause();
    const field = fields.get(id);
    if (field === undefined || text === null) continue;
    if (
      field.path !== undefined &&
      readJsonText(field.source) !== undefined &&
      readJsonText(text) === undefined
    ) {
      throw mlError('xliff_invalid', {
        message: `The unit ${id} must be JSON, as its source is.`,
        data: { units: [id] },
      });
    }
    if (id === 'URL' || field.source === text) continue;
    const losses = await runInTurns(listLosses(field.source, text, isShortcode), pause);
    if (losses !== null) units.set(id, losses);
  }
  if (units.size > 0) throw mlError('xliff_markup_lost', { data: { units: Object.fromEntries(units) } });
}

/** What the translation lost although it can be taken. */
async function listWarnings(
  job: Job,
  targets: readonly XliffTarget[],
  { unfiltered, glossary = NO_TERMS }: HandedIn,
): Promise<readonly DeliveryWarning[]> {
  const pause = createPause();
  const warnings: DeliveryWarning[] = [];
  const fields = new Map(job.fields.map((field) => [field.id, field]));
  for (const { id, text, unknown = [] } of targets) {
    await pause();
    const field = fields.get(id);
    if (field === undefined || text === null || id === 'URL') continue;
    warnings.push(
      ...warnOfCodes(id, unknown),
      ...(await runInTurns(warnOfTags(field, text), pause)),
      ...(await runInTurns(warnOfTerms(field, text, glossary), pause)),
    );
    if (!unfiltered)
      warnings.push(
        ...(await runInTurns(
          warnOfCleaning(id, text, await runInTurns(cleanText(field.part ?? id, text, field.source), pause)),
          pause,
        )),
      );
  }
  return warnings;
}

/** A delivered file. `by`: the user who delivers it; 0 for a service. `unfiltered`: whether the user who delivers it may write unfiltered HTML. A service may not. `glossary`: of the languages of the job. */
interface HandedIn {
  readonly bytes: Uint8Array;
  readonly by?: number;
  readonly unfiltered: boolean;
  readonly isShortcode?: IsShortcode;
  readonly glossary?: TermFinder;
}

/** The result of a delivered file. `stale`: the file was made before the texts of the job changed. */
interface Delivery {
  readonly targets: JobTargets;
  readonly stale: boolean;
  readonly warnings: readonly DeliveryWarning[];
}

/**
 * Reads a translated file and verifies that it belongs to the job. A file that was made before the texts changed is not compared with them.
 * @throws RestError `not_xml_file`, `xliff_invalid`, `xliff_does_not_match`, `xliff_markup_lost`
 */
export async function readDelivery(secret: Uint8Array, job: Job, handedIn: HandedIn): Promise<Delivery> {
  const { bytes, unfiltered, isShortcode = () => false } = handedIn;
  const sources = new Map(job.fields.map((field) => [field.id, field.source]));
  const file = await read(bytes, (id) => sources.get(id) ?? '');
  const revision = checkOrigin(secret, job, file);
  const stale = revision !== job.revision;
  const known = file.targets.filter((target) => sources.has(target.id));
  checkTargets(job, known, revision);
  if (!stale) await checkLosses(job, known, isShortcode);
  const entries = known.map(
    (target) =>
      [
        target.id,
        {
          text: target.text ?? '',
          state: target.state,
          ...(unfiltered ? { unfiltered: true } : {}),
        } satisfies JobTarget,
      ] as const,
  );
  return {
    targets: { ...job.targets, ...Object.fromEntries(entries) },
    stale,
    warnings: await listWarnings(job, known, handedIn),
  };
}

/** A job with its stored translation. */
interface Delivered {
  readonly job: Job;
  readonly warnings: readonly DeliveryWarning[];
}

/** What becomes of a job whose texts are all translated. */
const toReady = ({ review_status: review }: Job): Values => ({
  status: JOB_STATUS.ready,
  engine_status: ENGINE_STATUS.translated,
  ...(IN_REVIEW.has(review) ? { review_status: REVIEW.accepted } : {}),
});

/**
 * Stores the translation of a job. It can be applied (status 4) once no text is missing, which only a stale file may lack. A job with a
 * stale one is flagged (`needs_update`). Warnings are logged.
 */
export async function deliver(
  services: TranslationServices,
  job: Job,
  handedIn: HandedIn,
): Promise<Delivered> {
  const { shortcodes } = await readConfig(services.store);
  const isShortcode = (name: string): boolean => services.shortcodes.has(name) || shortcodes.includes(name);
  const {
    targets,
    stale,
    warnings: lost,
  } = await readDelivery(services.config.secret, job, {
    ...handedIn,
    isShortcode,
    glossary: await readGlossary(services.store, job),
  });
  const missing = job.fields.filter(({ id }) => own(targets, id) === undefined).map(({ id }) => id);
  const warnings = [...lost, ...warnOfUnits(missing)];
  const [checked = job] = await checkStaleness(services, [job]);
  const arrived = {
    code: 'delivered',
    message: `A translation was handed in by ${nameUser(handedIn.by ?? 0)}${missing.length === 0 ? '' : ', in parts'}.`,
  };
  const delivered = await saveJob(services, checked, {
    values: {
      targets,
      needs_update: stale || checked.needs_update,
      ...(missing.length === 0 ? toReady(job) : {}),
    },
    log: [arrived, ...warnings],
  });
  if (missing.length === 0) sendNotices(services, [delivered], { kind: 'ready' });
  return { job: delivered, warnings };
}
