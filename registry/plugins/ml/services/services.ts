import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Call, StoredRecord } from '../../../../lib/index.ts';
import { type Ports, type SiteServices, loadAddresses, servicesOf, toPost } from '../../../plugin.ts';
import type { TranslationEngine } from '../engine/engine.ts';
import { createHttpEngine, createLocalService } from '../engine/http-engine.ts';
import { createMachineEngines } from '../machine/machine-engine.ts';
import { createMemoryEngine } from '../memory/recall.ts';
import { readTranslationOptions, type TranslationOptions } from './service-options.ts';

/** Dependencies of the handlers of translation jobs: the ports and services of the site, and what translates its posts. */
export interface TranslationServices
  extends
    Ports,
    Pick<SiteServices, 'settings' | 'kinds' | 'shortcodes'>,
    Pick<TranslationOptions, 'textEngines' | 'appliedStatus'> {
  /** That of the host, otherwise the service `ate` when it is connected, otherwise the local translation service. */
  readonly engine: TranslationEngine;
  /** What `service` of a job says while the engine has it. */
  readonly serviceName: string;
  /** Whether the namespaces have the routes that the recorded index does not have. */
  readonly extraRoutes: boolean;
}

/** @throws TypeError as `readTranslationOptions` */
export function createTranslationServices(ports: Ports): TranslationServices {
  const options = readTranslationOptions(ports.config);
  const { settings, kinds, shortcodes } = servicesOf(ports);
  const connect = () =>
    ports.upstream.origin('ate') === null
      ? createLocalService(ports, options.consoleUrl)
      : createHttpEngine(ports);
  const engine = options.engine ?? connect();
  return {
    ...ports,
    settings,
    kinds,
    shortcodes,
    engine,
    serviceName: engine.name === 'local' ? 'local' : (options.serviceName ?? engine.label ?? 'ate'),
    textEngines: [
      createMemoryEngine(ports.store),
      ...options.textEngines,
      ...createMachineEngines(ports, options),
    ],
    appliedStatus: options.appliedStatus,
    extraRoutes: options.extraRoutes ?? ports.content.core,
  };
}

/** The token with which the engine reports that the translation of this job is ready. It is valid for this job only. */
export function toReceiveToken(secret: Uint8Array, job: number): string {
  return createHmac('sha256', secret).update(`receive|${job}`).digest('hex');
}

export function isReceiveToken(secret: Uint8Array, job: number, token: unknown): boolean {
  const given = Buffer.from(typeof token === 'string' ? token : '');
  const expected = Buffer.from(toReceiveToken(secret, job));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** URL of one of the posts on the site; '' for a post that does not exist. */
export type ToAddress = (post: StoredRecord | null | undefined, call: Call) => string;

/** Loads what the URLs of these posts depend on. They need the fields `ADDRESSED`. */
export async function readAddresses(
  { store, settings, content }: TranslationServices,
  posts: readonly StoredRecord[],
): Promise<ToAddress> {
  const addressOf = await loadAddresses({ store, settings, types: content.types }, posts.map(toPost));
  return (post, call) => (post === null || post === undefined ? '' : addressOf(toPost(post), call.site));
}
