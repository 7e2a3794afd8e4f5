import { and, defineNamespace, eq, gte, type Json, lt, type Namespace } from '../../../lib/index.ts';
import { type CreateParts, extendNamespace, groupBy, invalidParam, writeOption } from '../../plugin.ts';
import { applyTranslations, downloadJobs, fixJob, receiveJob } from './delivery/apply-job.ts';
import { listQueuedBatches, syncBatches } from './delivery/batches.ts';
import { readEngineJob, storeReports, syncJobs } from './delivery/engine-jobs.ts';
import { passOn } from './engine/proxy.ts';
import { createGlossary } from './glossary-handlers.ts';
import { remindOfDeadlines } from './jobs/deadline-reminders.ts';
import {
  assignJob,
  cancelJobs,
  createCancelDeparted,
  downloadTranslation,
  fetchXliff,
} from './jobs/job-changes.ts';
import { createJobs, retryJobs } from './jobs/job-create.ts';
import { listJobs } from './jobs/job-list.ts';
import { startMachines } from './jobs/machine-queue.ts';
import { generateMoFiles } from './mo/mo-generate.ts';
import { importMoStrings } from './mo/mo-import.ts';
import { CONFIG_OPTION, readConfigText } from './posts/source-texts.ts';
import { mlError } from './records/errors.ts';
import { validateXmlConfig } from './records/xml-config.ts';
import {
  MAX_CONFIG,
  mlAteDescriptor,
  mlDescriptor,
  mlStDescriptor,
  mlStSettingsDescriptor,
} from './routes/routes.ts';
import { mlTmDescriptor } from './routes/tm-routes.ts';
import {
  readEngines,
  readStatus,
  registerManager,
  syncManagers,
  syncTranslators,
  writeEngines,
} from './services/ams.ts';
import { createTranslationServices, isReceiveToken, type TranslationServices } from './services/services.ts';
import { createStates } from './states/states.ts';

function checkSize(content: string): void {
  if (Buffer.byteLength(content) > MAX_CONFIG)
    throw invalidParam('content', `content must not be longer than ${MAX_CONFIG} bytes.`, 'rest_too_long');
}

/** The custom XML configuration, which defines what translation jobs contain. */
function createXmlConfig({ store }: TranslationServices): Namespace {
  return defineNamespace(mlDescriptor, {
    'ml.config.read': () => readConfigText(store),
    'ml.config.write': async ({ content }) => {
      checkSize(content);
      const isBlank = content.trim() === '';
      const errors = isBlank ? [] : validateXmlConfig(content);
      if (errors.length > 0) throw mlError('invalid_xml_config', { data: { errors } });
      await writeOption(store, CONFIG_OPTION, isBlank ? '' : content);
      return isBlank ? '' : content;
    },
    'ml.config.check': ({ content }) => {
      checkSize(content);
      return validateXmlConfig(content);
    },
  });
}

/** `ml/v1`: the custom XML configuration and, with the core controllers or if `config.ml.extraRoutes` is true, what is translated, and the glossary. */
function createMlNamespace(services: TranslationServices): Namespace {
  const config = createXmlConfig(services);
  return services.extraRoutes
    ? extendNamespace(extendNamespace(config, createStates(services)), createGlossary(services))
    : config;
}

/** Maximum size of a setting, in bytes of JSON. */
const MAX_DATA = 64 * 1024;

function checkData(data: unknown): asserts data is Json {
  const bytes = Buffer.byteLength(JSON.stringify(data));
  if (bytes > MAX_DATA)
    throw invalidParam(
      'data',
      `data must not be longer than ${MAX_DATA} bytes of JSON; it has ${bytes}.`,
      'rest_too_long',
    );
}

/** The groups of options begin with this. */
const PREFIX = 'ST-';
/** The character behind the last one of the prefix, so that a range of texts has exactly the groups that begin with it. */
const AFTER = 'ST.';

/** The stored settings by group and name. */
async function readAll(
  { store }: TranslationServices,
  group: string | undefined,
): Promise<Readonly<Record<string, Readonly<Record<string, Json>>>>> {
  const where =
    group === undefined ? and(gte('group', PREFIX), lt('group', AFTER)) : eq('group', `${PREFIX}${group}`);
  const { records } = await store.find({ collection: 'options', where });
  const groups = groupBy(records, ({ group: name }) => String(name).slice(PREFIX.length));
  return Object.fromEntries(
    [...groups].map(([name, options]) => [
      name,
      Object.fromEntries(options.map(({ key, value }) => [String(key), value ?? null])),
    ]),
  );
}

/** `ml/st/v1`: imports strings of components from .mo files, stores them, and generates .mo files from them. */
function createStNamespace(services: TranslationServices): Namespace {
  const recorded = defineNamespace(mlStDescriptor, {
    'ml.st.import': (components) => importMoStrings(services, components),
    'ml.st.generate': () => generateMoFiles(services),
    'ml.st.settings': async ({ group, key, data }) => {
      checkData(data);
      await writeOption(services.store, [`${PREFIX}${group}`, key], data);
      return null;
    },
  });
  return services.extraRoutes
    ? extendNamespace(
        recorded,
        defineNamespace(mlStSettingsDescriptor, {
          'ml.st.settings.read': ({ group }) => readAll(services, group),
        }),
      )
    : recorded;
}

/** `ml/tm/v1`: translation jobs. They are made from posts, translated by a service or by people, and applied as posts. */
function createTmNamespace(services: TranslationServices): Namespace {
  /** The handler whose first parameter is the services. */
  const bind =
    <P extends readonly unknown[], R>(handle: (services: TranslationServices, ...rest: P) => R) =>
    (...rest: P): R =>
      handle(services, ...rest);
  return defineNamespace(
    mlTmDescriptor,
    {
      'ml.tm.jobs.list': bind(listJobs),
      'ml.tm.jobs.assign': bind(assignJob),
      'ml.tm.jobs.cancel': bind(cancelJobs),
      'ml.tm.xliff.fetch': bind(fetchXliff),
      'ml.tm.tp.download': bind(downloadTranslation),
      'ml.tm.tp.apply': bind(applyTranslations),
      'ml.tm.tp.batches.sync': bind(syncBatches),
      'ml.tm.tp.batches.status': bind(listQueuedBatches),
      'ml.tm.ate.jobs.create': bind(createJobs),
      'ml.tm.ate.jobs.read': bind(readEngineJob),
      'ml.tm.ate.jobs.store': bind(storeReports),
      'ml.tm.ate.jobs.sync': bind(syncJobs),
      'ml.tm.ate.jobs.download': bind(downloadJobs),
      'ml.tm.ate.jobs.retry': bind(retryJobs),
      'ml.tm.ate.jobs.receive': bind(receiveJob),
      'ml.tm.ate.jobs.fix': bind(fixJob),
      'ml.tm.ams.register': bind(registerManager),
      'ml.tm.ams.translators': bind(syncTranslators),
      'ml.tm.ams.managers': bind(syncManagers),
      'ml.tm.ams.status': bind(readStatus),
      'ml.tm.ams.console': async () => (await services.engine.consoleUrl()) ?? '#',
      'ml.tm.ams.engines.read': bind(readEngines),
      'ml.tm.ams.engines.write': bind(writeEngines),
    },
    {
      permissions: {
        // The engine's callback needs the token of the job. Other callers do not learn whether the job exists.
        'ml.tm.receive': ({ mlJobId: id, t: token }) =>
          typeof id === 'number' && isReceiveToken(services.config.secret, id, token)
            ? true
            : mlError('ml_receive_invalid_token', { headers: { 'Cache-Control': 'no-store' } }),
      },
    },
  );
}

/**
 * The code of the plugin. Jobs of a post that goes are cancelled in the commit that removes it. `config.ml`: `TranslationOptions`.
 * @throws TypeError as `readTranslationOptions`
 */
export const createMl: CreateParts = ({ ports }) => {
  const services = createTranslationServices(ports);
  startMachines(services);
  return {
    namespaces: [
      createMlNamespace(services),
      createTmNamespace(services),
      defineNamespace(mlAteDescriptor, {
        'ml.ate.proxy': (args, call) => passOn(services.upstream, args, call),
      }),
      createStNamespace(services),
    ],
    functions: { 'ml.remind': services.notify === undefined ? null : () => remindOfDeadlines(services) },
    departure: createCancelDeparted(services),
  };
};
