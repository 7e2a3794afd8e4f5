import { type Ports, changeOption, readOption } from '../../../plugin.ts';
import { toMoment } from '../records/job-record.ts';
import type { EngineState, TranslationEngine } from './engine.ts';

const OPTION = ['ml', 'desk'] as const;

async function readState({ store }: Pick<Ports, 'store'>): Promise<EngineState> {
  const stored = await readOption(store, ...OPTION);
  const registered =
    typeof stored === 'object' && stored !== null && 'registered_at' in stored
      ? String(stored.registered_at)
      : '';
  return { activated: registered !== '', mode: 'local', registered_at: registered };
}

/**
 * The built-in engine: people fetch XLIFF files, translate them outside the site and deliver them. Its job ids are those of the
 * site, and its records are those that the site has stored.
 */
export function createLocalService(
  ports: Pick<Ports, 'store' | 'now'>,
  consoleUrl: string | null,
): TranslationEngine {
  return {
    name: 'local',
    createJobs: async (jobs) => new Map(jobs.map(({ job }) => [job.id, job.id])),
    readJobs: async (jobs) =>
      new Map(jobs.map((job) => [job.id, { id: job.engine_job, status: job.engine_status, xliff: null }])),
    fetchXliff: async () => null,
    confirm: async () => undefined,
    cancel: async () => undefined,
    async register(site) {
      // Registering a second manager does not change the registration date.
      await changeOption(
        ports.store,
        OPTION,
        (value) =>
          value ?? { uuid: site.uuid, manager: site.manager.email, registered_at: toMoment(ports.now()) },
      );
    },
    state: () => readState(ports),
    syncUsers: async (_kind, users) => users.map(({ email }) => ({ email, subscription: true })),
    async consoleUrl() {
      return (await readState(ports)).activated ? consoleUrl : null;
    },
  };
}
