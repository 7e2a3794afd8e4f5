import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Call, Store, StoredRecord } from '../../../../lib/index.ts';
import {
  type Ports,
  type PostKinds,
  type ReadSettings,
  type Shortcode,
  loadAddresses,
  own,
  servicesOf,
  toPost,
} from '../../../plugin.ts';
import type { TranslationEngine } from '../engine/engine.ts';
import { createHttpEngine, createLocalService } from '../engine/http-engine.ts';
import type { TextEngine } from '../engine/text-engine.ts';
import { createMachineEngines } from '../machine/machine-engine.ts';
import { createMemoryEngine } from '../memory/recall.ts';
import type { AppliedStatus } from '../posts/translated-post.ts';
import type { Job } from '../records/job-record.ts';
import {
  toOriginal,
  writeXliff,
  type XliffFile,
  type XliffTerm,
  type XliffUnit,
  type XliffVersion,
} from '../xliff/xliff-write.ts';
import { readTranslationOptions, type TranslationOptions } from './service-options.ts';

/** Dependencies of the handlers of translation jobs. */
export interface TranslationServices {
  readonly ports: Ports;
  readonly store: Store;
  readonly posts: Pick<Ports, 'store' | 'now' | 'log'> & { readonly settings: ReadSettings };
  /** The types of the site whose records can be translated. */
  readonly kinds: PostKinds;
  readonly engine: TranslationEngine;
  /** What `service` of a job says while the engine has it. */
  readonly serviceName: string;
  readonly textEngines: readonly TextEngine[];
  readonly appliedStatus: AppliedStatus;
  /** The shortcodes that the site renders. */
  readonly shortcodes: ReadonlyMap<string, Shortcode>;
}

/** The engine of the host, otherwise the service `ate` when it is connected, otherwise the local translation service. */
export function createTranslationEngine(
  ports: Ports,
  { engine, consoleUrl }: Pick<TranslationOptions, 'engine' | 'consoleUrl'>,
): TranslationEngine {
  return (
    engine ??
    (ports.upstream.origin('ate') === null ? createLocalService(ports, consoleUrl) : createHttpEngine(ports))
  );
}

/** @throws TypeError as `readTranslationOptions` */
export function createTranslationServices(ports: Ports): TranslationServices {
  const options = readTranslationOptions(ports.config);
  const engine = createTranslationEngine(ports, options);
  const { store, now, log } = ports;
  const { settings, kinds, shortcodes } = servicesOf(ports);
  const posts = { store, now, log, settings };
  return {
    ports,
    store,
    posts,
    kinds,
    engine,
    serviceName: engine.name === 'local' ? 'local' : (options.serviceName ?? engine.label ?? 'ate'),
    textEngines: [createMemoryEngine(store), ...options.textEngines, ...createMachineEngines(ports, options)],
    appliedStatus: options.appliedStatus,
    shortcodes,
  };
}

const TOKEN_LENGTH = 64;

/** The token with which the engine reports that the translation of this job is ready. It is valid for this job only. */
export function toReceiveToken(secret: Uint8Array, job: number): string {
  return createHmac('sha256', secret).update(`receive|${job}`).digest('hex');
}

export function isReceiveToken(secret: Uint8Array, job: number, token: unknown): boolean {
  if (typeof token !== 'string' || token.length !== TOKEN_LENGTH) return false;
  const given = Buffer.from(token);
  const expected = Buffer.from(toReceiveToken(secret, job));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** URL of one of the posts on the site; '' for a post that does not exist. */
export type ToAddress = (post: StoredRecord | null | undefined, call: Pick<Call, 'site'>) => string;

/** Loads what the URLs of these posts depend on. They need the fields `ADDRESSED`. */
export async function readAddresses(
  { store, posts: { settings }, ports: { content } }: TranslationServices,
  posts: readonly StoredRecord[],
): Promise<ToAddress> {
  const addressOf = await loadAddresses({ store, settings, types: content.types }, posts.map(toPost));
  return (post, call) => (post === null || post === undefined ? '' : addressOf(toPost(post), call.site));
}

const toUnits = (job: Job, terms: ExportNotes['terms']): XliffUnit[] =>
  job.fields.map(({ id, label, source }) => {
    const target = own(job.targets, id);
    const match = own(job.matches ?? {}, id);
    const ofUnit = terms.get(id);
    return {
      id,
      label,
      source,
      target: target?.text ?? '',
      state: target?.state ?? 'initial',
      ...(target?.memory === undefined ? {} : { memory: target.memory }),
      ...(match === undefined ? {} : { match }),
      ...(ofUnit === undefined ? {} : { terms: ofUnit }),
    };
  });

/** Information in the export of a job, besides its texts. */
interface ExportNotes {
  readonly reference: string;
  readonly shortcodes: readonly string[];
  /** Terms of the glossary by field id (`listJobTerms`). */
  readonly terms: ReadonlyMap<string, readonly XliffTerm[]>;
}

/** The XLIFF file of a job. It is signed, so that a returned file can be verified. */
export function toXliff(
  services: Pick<TranslationServices, 'ports'>,
  job: Job,
  { reference, shortcodes, terms, version }: ExportNotes & { readonly version: XliffVersion },
): string {
  const file: XliffFile = {
    original: toOriginal(services.ports.config.secret, {
      job: job.id,
      post: job.post,
      revision: job.revision,
    }),
    source: job.source,
    target: job.target,
    reference,
    notes: [
      `Post type: ${job.post_type}`,
      ...(shortcodes.length === 0 ? [] : [`Do not translate these shortcodes: ${shortcodes.join(', ')}`]),
    ],
    units: toUnits(job, terms),
  };
  return writeXliff(file, version);
}
