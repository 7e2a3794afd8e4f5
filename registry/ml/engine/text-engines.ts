import { createHash } from 'node:crypto';
import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { and, eq, oneOf } from '../../../lib/store/query.ts';
import { StoreError, type Operation, type Store } from '../../../lib/store/store.ts';
import { readOption, writeOption } from '../../site/options.ts';
import type { JobField } from '../jobs/job-fields.ts';
import type { Job, JobTarget } from '../jobs/job-record.ts';

/** The texts of one job that need a first translation. */
export interface TextRequest {
  readonly post: number;
  readonly source: string;
  readonly target: string;
  readonly fields: readonly JobField[];
  /** Whether a name in brackets is a shortcode even without a closing tag. */
  readonly isShortcode: (name: string) => boolean;
  /** Receives what the log of the job will say. */
  readonly report?: (problem: TextProblem) => void;
  /** Aborted when there is no more time. */
  readonly signal?: AbortSignal;
}

/** Why an engine left out texts of a job, or what they lost. `failed`: the engine is not asked again for the other jobs of the request. */
export interface TextProblem {
  readonly engine: string;
  readonly code: string;
  readonly message: string;
  readonly failed?: true;
}

/** Prefills translations before a translator works on a job: the translation memory, or an engine of the host. */
export interface TextEngine {
  readonly id: string;
  readonly label: string;
  /** Supported languages; empty for all. */
  readonly languages: readonly string[];
  /** Returns translations by field id. Fields that the engine cannot translate are left out. */
  translate(request: TextRequest): Promise<ReadonlyMap<string, JobTarget>>;
}

/** Maximum length of a text in the memory, in characters. Longer texts are rarely repeated. */
const MAX_REMEMBERED = 20_000;

/** A slug has its own hash, because the translation of an equal title is not a slug. */
const toHash = ({ id, source }: JobField): string => createHash('sha256').update(id === 'URL' ? `slug ${source}` : source).digest('hex');
const toPair = ({ source, target }: { source: string; target: string }): string => `${source}:${target}`;

async function recall(store: Store, request: TextRequest): Promise<ReadonlyMap<string, JobTarget>> {
  const pair = eq('pair', toPair(request));
  const hashes = new Map(request.fields.map((field) => [field.id, toHash(field)]));
  const { records: same } = await store.find({ collection: 'ml_memory', where: and(pair, oneOf('hash', [...new Set(hashes.values())])) });
  const { records: older } = await store.find({
    collection: 'ml_memory', where: and(pair, eq('post', request.post), oneOf('field', [...hashes.keys()])), order: [{ field: 'id', direction: 'desc' }],
  });
  return new Map(request.fields.flatMap((field) => {
    const current = same.find((record) => record['hash'] === hashes.get(field.id));
    const found = current ?? older.find((record) => record['field'] === field.id);
    if (found === undefined) return [];
    const memory = current === undefined ? 'outdated' : 'current';
    return [[field.id, { text: String(found['text']), state: 'initial', memory } satisfies JobTarget] as const];
  }));
}

const MEMORY = 'memory';

/** Creates the translation memory of the site. */
export function createMemoryEngine(store: Store): TextEngine {
  return { id: MEMORY, label: 'Translation memory', languages: [], translate: (request) => recall(store, request) };
}

/** Stores the translations of an applied job in the memory. When two writers collide, the faster one wins. */
export async function remember(store: Store, job: Job): Promise<void> {
  const pair = toPair(job);
  const entries = new Map(job.fields.flatMap((field) => {
    const text = own(job.targets, field.id)?.text ?? '';
    return text === '' || field.source.length > MAX_REMEMBERED ? [] : [[toHash(field), { post: job.post, field: field.id, text }] as const];
  }));
  const { records } = await store.find({ collection: 'ml_memory', where: and(eq('pair', pair), oneOf('hash', [...entries.keys()])), fields: ['hash'] });
  const known = new Map(records.map((record) => [String(record['hash']), record.id]));
  const operations = [...entries].map(([hash, values]): Operation => {
    const id = known.get(hash);
    return id === undefined
      ? { op: 'create', collection: 'ml_memory', values: { pair, hash, ...values } }
      : { op: 'update', collection: 'ml_memory', id, values };
  });
  try {
    if (operations.length > 0) await store.commit(operations);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unique') throw error;
  }
}

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
  return new Map(list.flatMap((entry: Json, index) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [];
    const { engine, enabled } = entry as Readonly<Record<string, Json>>;
    return [[String(engine), { enabled: enabled !== false, order: index + 1 }] as const];
  }));
}

/** The engines in the order in which they are asked. An engine without settings is enabled and comes last. */
export async function listEngines(store: Store, engines: readonly TextEngine[]): Promise<readonly EngineSetting[]> {
  const settings = readSettings(await readOption(store, ...OPTION));
  const placed = engines.map(({ id, label, languages }, index) => {
    const { enabled, order } = settings.get(id) ?? { enabled: true, order: settings.size + index + 1 };
    return { engine: id, label, enabled, order, languages };
  });
  return placed.sort((a, b) => a.order - b.order);
}

/** Stores the order of the engines and which of them are enabled. */
export async function saveEngines(store: Store, list: readonly { readonly engine: string; readonly enabled: boolean }[]): Promise<void> {
  await writeOption(store, OPTION, list.map(({ engine, enabled }) => ({ engine, enabled })));
}

/** First translations of a job. `byMachine`: an engine other than the memory translated some of them. */
export interface Prefilled {
  readonly targets: Readonly<Record<string, JobTarget>>;
  readonly byMachine: boolean;
}

/** First translations of a job. Each field is taken from the first enabled engine that has one. Engines in `broken` are not asked. */
export async function prefill(store: Store, { engines, broken = new Set() }: { readonly engines: readonly TextEngine[]; readonly broken?: ReadonlySet<string> }, request: TextRequest): Promise<Prefilled> {
  const targets = new Map<string, JobTarget>();
  let byMachine = false;
  for (const { engine: id, enabled } of await listEngines(store, engines)) {
    const engine = engines.find((each) => each.id === id);
    const speaks = engine !== undefined && (engine.languages.length === 0 || [request.source, request.target].every((code) => engine.languages.includes(code)));
    const fields = request.fields.filter((field) => !targets.has(field.id));
    if (!enabled || !speaks || fields.length === 0 || broken.has(id)) continue;
    // Engines cannot grant `unfiltered`, so it is removed.
    const translated = await engine.translate({ ...request, fields });
    for (const [field, { unfiltered: _unfiltered, ...target }] of translated) targets.set(field, target);
    byMachine ||= id !== MEMORY && translated.size > 0;
  }
  return { targets: Object.fromEntries(targets), byMachine };
}
