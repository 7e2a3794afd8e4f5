import { randomUUID } from 'node:crypto';
import type { Call, Store } from '../../../../lib/index.ts';
import { countRecords, userOf } from '../../../plugin.ts';
import { listUsersWith, toEngineUser } from '../engine/engine.ts';
import { listEngines, saveEngines } from '../engine/text-engine.ts';
import { mlError } from '../records/errors.ts';
import { IS_OPEN } from '../records/job-record.ts';
import type { TmArgs } from '../routes/tm-routes.ts';
import type { TranslationServices } from './services.ts';

const CAPABILITY = { translators: 'translate', managers: 'manage_translations' } as const;

const listEngineUsers = async (store: Store, kind: keyof typeof CAPABILITY) =>
  (await listUsersWith(store, CAPABILITY[kind])).map(toEngineUser);

/** Registers the site with the engine. The caller becomes its manager. */
export async function registerManager(services: TranslationServices, _args: unknown, call: Call) {
  const id = userOf(call.identity);
  const user = await services.store.get('users', id);
  await services.engine.register({
    uuid: randomUUID(),
    site_url: call.site.home(),
    manager: toEngineUser(user ?? { id, version: 1 }),
    translators: await listEngineUsers(services.store, 'translators'),
    managers: await listEngineUsers(services.store, 'managers'),
  });
  return { enabled: true, mode: services.engine.name };
}

/** Sends the engine the translators, and returns which of them may use it. */
export async function syncTranslators(services: TranslationServices) {
  const users = await listEngineUsers(services.store, 'translators');
  return { result: { translators: await services.engine.syncUsers('translators', users) } };
}

/** Sends the engine the translation managers. */
export async function syncManagers(services: TranslationServices) {
  const users = await listEngineUsers(services.store, 'managers');
  const known = new Map(
    (await services.engine.syncUsers('managers', users)).map((user) => [user.email, user.subscription]),
  );
  return {
    result: {
      translation_managers: users.map((user) =>
        Object.assign(user, { subscription: known.get(user.email) ?? false }),
      ),
    },
  };
}

/** The state of the site's registration with the engine. Never throws. */
export async function readStatus(services: TranslationServices) {
  const { activated, mode, registered_at: registered } = await services.engine.state();
  const translators = await listUsersWith(services.store, CAPABILITY.translators);
  const managers = await listUsersWith(services.store, CAPABILITY.managers);
  return {
    activated,
    mode,
    registered_at: registered,
    translators: translators.length,
    managers: managers.length,
    open_jobs: await countRecords(services.store, { collection: 'ml_jobs', where: IS_OPEN }),
  };
}

/** The engines that prefill translations. */
export const readEngines = async (services: TranslationServices) => ({
  list: await listEngines(services.store, services.textEngines),
});

/** Sets the order of the engines and which of them are enabled. Engines that are not named keep their order after the others. @throws RestError `ml_engine_unknown` */
export async function writeEngines(
  services: TranslationServices,
  { body, list = [] }: TmArgs<'ml.tm.ams.engines.write'>,
) {
  const orders = Array.isArray(body) ? (body as typeof list) : list;
  const current = await listEngines(services.store, services.textEngines);
  const unknown = orders.find((order) => !current.some((each) => each.engine === order.engine));
  if (unknown !== undefined)
    throw mlError('ml_engine_unknown', {
      message: `There is no translation engine "${unknown.engine}".`,
      data: { engine: unknown.engine },
    });
  const placed = orders
    .map((order, index) => ({
      engine: order.engine,
      enabled: order.enabled ?? true,
      order: order.order ?? index + 1,
    }))
    .sort((a, b) => a.order - b.order);
  const named = new Set(placed.map((each) => each.engine));
  await saveEngines(services.store, [...placed, ...current.filter((each) => !named.has(each.engine))]);
  return readEngines(services);
}
