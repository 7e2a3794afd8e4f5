import { own } from '../../lib/own.ts';
import type { SiteConfig } from '../ports.ts';
import type { TranslationEngine } from './engine.ts';
import type { TextEngine } from './text-engines.ts';
import type { AppliedStatus } from './translated-post.ts';

/** `config.namespaces.ml`: what the host says of translations. */
export interface DeskOptions {
  /** In place of the local desk or the connected service. Default: none. */
  readonly engine: TranslationEngine | null;
  /** Machines that fill in first translations, after the translation memory. Default: none. */
  readonly textEngines: readonly TextEngine[];
  /** Status of a new translation. Default `draft`. */
  readonly appliedStatus: AppliedStatus;
  /** What `ams/console` answers once the local desk is registered. Default: none. */
  readonly consoleUrl: string | null;
}

const ENGINE_FUNCTIONS = ['createJobs', 'readJobs', 'fetchXliff', 'confirm', 'cancel', 'register', 'state', 'syncUsers', 'consoleUrl'] as const;

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function isEngine(value: unknown): value is TranslationEngine {
  return isMembers(value) && (value['name'] === 'local' || value['name'] === 'remote') && ENGINE_FUNCTIONS.every((name) => typeof value[name] === 'function');
}

function isTextEngine(value: unknown): value is TextEngine {
  return isMembers(value) && typeof value['id'] === 'string' && typeof value['label'] === 'string' && Array.isArray(value['languages']) && typeof value['translate'] === 'function';
}

const isStatus = (value: unknown): value is AppliedStatus => value === 'draft' || value === 'original';
const isAddress = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** The value of a member; `otherwise` when it is not given. @throws TypeError when it is not what it must be. */
function readMember<T>(members: Readonly<Record<string, unknown>>, [name, wanted]: readonly [string, string], { is, otherwise }: { is: (value: unknown) => value is T; otherwise: T }): T {
  const value = own(members, name);
  if (value === undefined) return otherwise;
  if (!is(value)) throw new TypeError(`config.namespaces.ml.${name} must be ${wanted}`);
  return value;
}

const areTextEngines = (value: unknown): value is readonly TextEngine[] => Array.isArray(value) && value.every(isTextEngine) && new Set(['memory', ...value.map(({ id }) => id)]).size === value.length + 1;
const isNullable = <T>(is: (value: unknown) => value is T) => (value: unknown): value is T | null => is(value);

/** @throws TypeError for a member that is not what it must be: when the site is built, not when it is asked. */
export function readDeskOptions({ namespaces }: Pick<SiteConfig, 'namespaces'>): DeskOptions {
  const members = namespaces['ml'] ?? {};
  return {
    engine: readMember(members, ['engine', `an object with ${ENGINE_FUNCTIONS.join(', ')}`], { is: isNullable(isEngine), otherwise: null }),
    textEngines: readMember(members, ['textEngines', 'a list of {id, label, languages, translate}, each id once and none `memory`'], { is: areTextEngines, otherwise: [] }),
    appliedStatus: readMember(members, ['appliedStatus', '`draft` or `original`'], { is: isStatus, otherwise: 'draft' }),
    consoleUrl: readMember(members, ['consoleUrl', 'an http or https address'], { is: isNullable(isAddress), otherwise: null }),
  };
}
