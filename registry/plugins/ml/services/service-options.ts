import {
  FLAG,
  type SettingRules,
  type SiteConfig,
  TEXT,
  TEXTS,
  WEB_ADDRESS,
  isObject,
  readSettings,
  withFunctions,
  wordOf,
} from '../../../plugin.ts';
import type { TranslationEngine } from '../engine/engine.ts';
import type { TextEngine } from '../engine/text-engine.ts';
import { MACHINE_SETTINGS, type MachineOptions } from '../machine/machine.ts';
import type { AppliedStatus } from '../posts/translated-post.ts';

/** `config.ml`: the host's settings for translations. */
export interface TranslationOptions {
  /** Replaces the local and the connected translation service. Default: none. */
  readonly engine: TranslationEngine | null;
  /** Engines that prefill translations, after the translation memory. Default: none. */
  readonly textEngines: readonly TextEngine[];
  /** Status of a new translation. Default `draft`. */
  readonly appliedStatus: AppliedStatus;
  /** Response of `ams/console` once the local translation service is registered. Default: none. */
  readonly consoleUrl: string | null;
  /** Name of the connected translation service in lists of jobs. Default: the label of the engine, otherwise `ate`. */
  readonly serviceName: string | null;
  /** Whether `ml/v1` and `ml/st/v1` have further routes. null: as the core controllers. */
  readonly extraRoutes: boolean | null;
  /** Settings of the connected machine translation services. */
  readonly machines: MachineOptions;
}

type TranslationSettings = MachineOptions & {
  readonly [K in Exclude<keyof TranslationOptions, 'machines'>]: NonNullable<TranslationOptions[K]>;
};

const ENGINE = withFunctions(
  'createJobs',
  'readJobs',
  'fetchXliff',
  'confirm',
  'cancel',
  'register',
  'state',
  'syncUsers',
  'consoleUrl',
);
const TRANSLATE = withFunctions('translate');

function areDifferent(engines: unknown): boolean {
  const ids = Array.isArray(engines)
    ? engines.map((engine: unknown) => (isObject(engine) ? engine['id'] : undefined))
    : [];
  return Array.isArray(engines) && new Set(['memory', ...ids]).size === ids.length + 1;
}

export const TRANSLATION_SETTINGS: SettingRules<TranslationSettings> = {
  engine: {
    ...ENGINE,
    members: { ...ENGINE.members, name: { ...wordOf(['local', 'remote']), needed: true }, label: TEXT },
  },
  textEngines: {
    wanted: 'a list of {id, label, languages, translate} with unique ids other than "memory"',
    fits: areDifferent,
    items: {
      ...TRANSLATE,
      members: {
        ...TRANSLATE.members,
        id: { ...TEXT, needed: true },
        label: { ...TEXT, needed: true },
        languages: { ...TEXTS, needed: true },
      },
    },
  },
  appliedStatus: wordOf(['draft', 'original']),
  consoleUrl: WEB_ADDRESS,
  serviceName: TEXT,
  extraRoutes: FLAG,
  ...MACHINE_SETTINGS,
};

/** Called when the site is created. @throws TypeError for an invalid member */
export function readTranslationOptions(config: Pick<SiteConfig, 'namespaces'>): TranslationOptions {
  const {
    deepl = {},
    libretranslate = {},
    ...given
  } = readSettings<TranslationSettings>(config, 'ml', TRANSLATION_SETTINGS);
  return {
    engine: null,
    textEngines: [],
    appliedStatus: 'draft',
    consoleUrl: null,
    serviceName: null,
    extraRoutes: null,
    ...given,
    machines: { deepl, libretranslate },
  };
}
