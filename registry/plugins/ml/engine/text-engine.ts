import type { Json, Store } from '../../../../lib/index.ts';
import { isObject, kindOf, readOption, writeOption } from '../../../plugin.ts';
import type { GlossaryTerm } from '../glossary/glossary.ts';
import type { JobMatch, JobTarget } from '../records/job-record.ts';
import type { JobField } from '../records/job-texts.ts';

/** The texts of one job that need a first translation. */
export interface TextRequest {
  /** Id of the original. */
  readonly post: number;
  /** Language of the texts. */
  readonly source: string;
  /** Language to translate into. */
  readonly target: string;
  /** The texts. */
  readonly fields: readonly JobField[];
  /** Whether a name in brackets is a shortcode even without a closing tag. */
  readonly isShortcode: (name: string) => boolean;
  /** The glossary of these languages. Absent: there is none. */
  readonly terms?: readonly GlossaryTerm[];
  /** Receives similar texts of the memory, by field id. Absent if nobody needs them. */
  readonly suggest?: (field: string, match: JobMatch) => void;
  /** Receives what the log of the job will say. */
  readonly report?: (problem: TextProblem) => void;
  /** Aborted when there is no more time. */
  readonly signal?: AbortSignal;
}

/** Why an engine left out texts of a job, or what they lost. `failed`: the engine is not asked again for the other jobs of the request. */
export interface TextProblem {
  /** Id of the engine. */
  readonly engine: string;
  /** Code of the reason. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  readonly failed?: true;
}

/** Prefills translations before a translator works on a job: the translation memory, or an engine of the host. */
export interface TextEngine {
  /** Identifies the engine in jobs and settings. */
  readonly id: string;
  /** Name that users see. */
  readonly label: string;
  /** Supported languages; empty for all. */
  readonly languages: readonly string[];
  /** Returns translations by field id. Fields that the engine cannot translate are left out. */
  translate(request: TextRequest): Promise<ReadonlyMap<string, JobTarget>>;
}

/** The id of the engine that is the translation memory. */
export const MEMORY = 'memory';

/** An engine with its settings. `order`: engines with a lower number are asked first. */
export interface EngineSetting {
  readonly engine: string;
  readonly label: string;
  readonly enabled: boolean;
  readonly order: number;
  readonly languages: readonly string[];
}

const OPTION = ['ml', 'engines'] as const;

function readSettings(stored: Json | undefined): ReadonlyMap<string, { enabled: boolean; order: number }> {
  const list = Array.isArray(stored) ? stored : [];
  return new Map(
    list
      .filter(isObject)
      .map(({ engine, enabled }, index) => [
        String(engine),
        { enabled: enabled !== false, order: index + 1 },
      ]),
  );
}

/** The engines in the order in which they are asked. An engine without settings is enabled and comes last. */
export async function listEngines(
  store: Store,
  engines: readonly TextEngine[],
): Promise<readonly EngineSetting[]> {
  const settings = readSettings(await readOption(store, ...OPTION));
  const placed = engines.map(({ id, label, languages }, index) => {
    const { enabled, order } = settings.get(id) ?? { enabled: true, order: settings.size + index + 1 };
    return { engine: id, label, enabled, order, languages };
  });
  return placed.sort((a, b) => a.order - b.order);
}

/** Stores the order of the engines and which of them are enabled. */
export async function saveEngines(
  store: Store,
  list: readonly { readonly engine: string; readonly enabled: boolean }[],
): Promise<void> {
  await writeOption(
    store,
    OPTION,
    list.map(({ engine, enabled }) => ({ engine, enabled })),
  );
}

/** First translations of a job. `byMachine`: an engine other than the memory translated some of them. */
interface Prefilled {
  readonly targets: Readonly<Record<string, JobTarget>>;
  readonly byMachine: boolean;
  /** Whether machines are left that may have translations, because they were not to be asked. */
  readonly isPending: boolean;
  /** Similar texts of the memory, for fields without a translation. */
  readonly matches: Readonly<Record<string, JobMatch>>;
}

/** `broken`: engines that are not asked. `machines`: false stops before the first engine that is not the memory. */
interface PrefillOptions {
  readonly engines: readonly TextEngine[];
  readonly broken?: ReadonlySet<string>;
  readonly machines?: boolean;
}

/** What an engine of the host must return. */
function isTargets(value: unknown): value is ReadonlyMap<string, JobTarget> {
  return value instanceof Map;
}

/** First translations of a job. Each field is taken from the first enabled engine that has one. */
export async function prefill(
  store: Store,
  { engines, broken = new Set(), machines = true }: PrefillOptions,
  request: TextRequest,
): Promise<Prefilled> {
  const targets = new Map<string, JobTarget>();
  const matches = new Map<string, JobMatch>();
  const suggest = (field: string, match: JobMatch): void => {
    matches.set(field, match);
  };
  let byMachine = false;
  let isPending = false;
  for (const { engine: id, enabled } of await listEngines(store, engines)) {
    const engine = engines.find((each) => each.id === id);
    const speaks =
      engine !== undefined &&
      (engine.languages.length === 0 ||
        [request.source, request.target].every((code) => engine.languages.includes(code)));
    const fields = request.fields.filter((field) => !targets.has(field.id));
    if (!enabled || !speaks || fields.length === 0 || broken.has(id)) continue;
    if (!machines && id !== MEMORY) {
      isPending = true;
      break;
    }
    // Engines cannot grant `unfiltered`, so it is removed.
    const translated: unknown = await engine.translate({
      ...request,
      fields,
      ...(id === MEMORY ? { suggest } : {}),
    });
    if (!isTargets(translated))
      throw new TypeError(
        `the text engine "${id}" returned ${kindOf(translated)}; it must return a Map of translations by field id`,
      );
    for (const [field, { unfiltered: _unfiltered, ...target }] of translated) targets.set(field, target);
    byMachine ||= id !== MEMORY && translated.size > 0;
  }
  return {
    targets: Object.fromEntries(targets),
    byMachine,
    isPending,
    matches: Object.fromEntries([...matches].filter(([field]) => !targets.has(field))),
  };
}
