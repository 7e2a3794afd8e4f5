import {
  createEngine,
  type Engine,
  type Namespace,
  type NamespaceDescriptor,
  toNamespace,
} from '../../../lib/index.ts';
import {
  type ContentDefinition,
  createContentModel,
  listContentFaults,
  listFixtureFaults,
  loadPlugins,
  type Plugin,
  readContent,
} from '../../../registry/site.ts';
import { UsageError } from '../frame/options.ts';
import { loadConfigured } from './plugins.ts';
import { inFile, readJson } from './read-json.ts';
import { listNameFaults } from './read-names.ts';
import { CONFIG_MEMBERS, listConfigFaults, toNamedPlugins } from './site-config.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a file is checked with. */
interface FileCheck {
  readonly file: string;
  readonly document: unknown;
  readonly languages: readonly string[];
  readonly content: ContentDefinition;
  /** Of the host. */
  readonly namespaces: readonly Namespace[];
  /** Of the site. */
  readonly plugins: readonly Plugin[];
}

/** Texts that are the value of a member with this name, at any depth. */
function collect(document: unknown, member: string): readonly string[] {
  const found = new Set<string>();
  JSON.stringify(document, (name, value: unknown) => {
    if (name === member && typeof value === 'string') found.add(value);
    return value;
  });
  return [...found];
}

const toTable = <T>(ids: readonly string[], value: T): Readonly<Record<string, T>> =>
  Object.fromEntries(ids.map((id) => [id, value]));

/** The descriptors in a file: one, or a list of them. @throws TypeError */
export function toDescriptors(document: unknown): readonly NamespaceDescriptor[] {
  const list: readonly unknown[] = Array.isArray(document) ? document : [document];
  const wrong = list.findIndex(
    (each) =>
      typeof each !== 'object' ||
      each === null ||
      typeof (each as Members)['namespace'] !== 'string' ||
      !Array.isArray((each as Members)['routes']),
  );
  if (wrong !== -1 || list.length === 0)
    throw new TypeError(
      `${Array.isArray(document) ? `[${Math.max(wrong, 0)}]` : 'the document'}: must be a descriptor with namespace (a text) and routes (a list)`,
    );
  return list as readonly NamespaceDescriptor[];
}

/** Registers descriptors in an engine of their own. Their functions are not known here, so every id has one. @throws TypeError */
export function openDescriptors(document: unknown): Engine {
  const namespaces = toDescriptors(document).map((descriptor) =>
    toNamespace(
      descriptor,
      toTable(collect(descriptor, 'handler'), () => null),
      {
        permissions: toTable(
          collect(descriptor, 'permission').filter((id) => id !== 'public'),
          () => false,
        ),
        checks: toTable(collect(descriptor, 'check'), () => null),
      },
    ),
  );
  return createEngine({ namespaces });
}

/** @throws TypeError with one mistake on each line */
function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
}

/** Checks each route on its own, so that each tells its first mistake, and then all of them together. @throws TypeError */
function checkDescriptors(document: unknown): void {
  const parts = toDescriptors(document).flatMap((descriptor) =>
    descriptor.routes.map((route) => ({ ...descriptor, routes: [route] })),
  );
  const faults = parts.flatMap((part) => {
    try {
      openDescriptors(part);
      return [];
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return [error.message];
    }
  });
  refuse([...new Set(faults)]);
  openDescriptors(document);
}

/** Kinds of files: the members by which they are known, and their checks. */
const KINDS = {
  descriptor: { members: ['namespace', 'routes'], check: ({ document }) => checkDescriptors(document) },
  fixture: {
    members: ['site'],
    check: ({ document, languages, content }) => refuse(listFixtureFaults(document, { languages, content })),
  },
  names: {
    members: ['apiSegment', 'headerPrefix', 'apiRelation', 'segments', 'curie', 'params'],
    check: ({ document, ...own }) => refuse(listNameFaults(document, own)),
  },
  config: {
    members: CONFIG_MEMBERS,
    check: ({ document, plugins }) => refuse(listConfigFaults(document, plugins)),
  },
  content: {
    members: ['types', 'taxonomies', 'meta', 'core'],
    check: ({ document }) => {
      refuse(listContentFaults('content', document));
      createContentModel(readContent('content', document));
    },
  },
} as const satisfies Readonly<
  Record<string, { readonly members: readonly string[]; check(check: FileCheck): unknown }>
>;

/** A kind of file that can be checked. */
type FileKind = keyof typeof KINDS;

export const FILE_KINDS = Object.keys(KINDS) as readonly FileKind[];

/** The kind of a document by its members. @throws UsageError */
function findKind(document: unknown): FileKind {
  const [first] = Array.isArray(document) ? (document as readonly unknown[]) : [document];
  const names = typeof first === 'object' && first !== null ? Object.keys(first) : [];
  const kind = FILE_KINDS.find((each) =>
    names.some((name) => (KINDS[each].members as readonly string[]).includes(name)),
  );
  if (kind === undefined)
    throw new UsageError(
      `The kind of the file cannot be told from its members. Say it with --as: ${FILE_KINDS.join(', ')}.`,
    );
  return kind;
}

/** The plugins of which a file may speak: those of the site, of this package, and those that a configuration names. */
async function listPossible(
  file: string,
  { kind, document, plugins }: Pick<FileCheck, 'document' | 'plugins'> & { readonly kind: FileKind },
): Promise<readonly Plugin[]> {
  if (kind !== 'config' && kind !== 'names') return plugins;
  const named = kind === 'config' ? inFile(file, () => toNamedPlugins((document ?? {}) as Members)) : [];
  const loaded = await loadConfigured(file, named);
  return [...new Set([...(await loadPlugins()), ...plugins, ...loaded.plugins])];
}

/** Checks a file, and resolves with its kind. @throws TypeError with the file, the place and what would be right */
export async function checkFile(
  file: string,
  given: FileKind | undefined,
  site: Pick<FileCheck, 'languages' | 'content' | 'namespaces' | 'plugins'>,
): Promise<FileKind> {
  const document = await readJson(file);
  const kind = given ?? findKind(document);
  const plugins = await listPossible(file, { kind, document, plugins: site.plugins });
  inFile(file, () => KINDS[kind].check({ file, document, ...site, plugins }));
  return kind;
}
