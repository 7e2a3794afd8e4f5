import {
  findFirst,
  and,
  eq,
  type Identity,
  not,
  oneOf,
  type Operation,
  type SiteView,
  type Store,
  type StoredRecord,
} from '../../../../lib/index.ts';
import {
  type PostRecord,
  checkBounds,
  runInTurns,
  savePost,
  toGroup,
  toPost,
  toIndexValues,
  toRevisionOf,
  toStamp,
  toUpdate,
  toWrite,
  userOf,
} from '../../../plugin.ts';
import { findApplied, listOverwritten, toAppliedTexts } from '../memory/corrections.ts';
import { readConfig, readSource, toPostTexts } from '../posts/source-texts.ts';
import { mapTerms, toTranslatedPost, type Translation } from '../posts/translated-post.ts';
import { mlError } from '../records/errors.ts';
import {
  ENGINE_STATUS,
  type Job,
  JOB_STATUS,
  nameUser,
  toLogEntry,
  toMoment,
  changeJob,
} from '../records/job-record.ts';
import { type FieldTexts, toTermNames, toTranslatedTexts, withMetaRules } from '../records/job-texts.ts';
import type { XmlConfig } from '../records/xml-config.ts';
import { joinJob } from '../segments/split-text.ts';
import type { TranslationServices } from '../services/services.ts';
import { cleanTargets } from './clean-texts.ts';
import { translateLinks } from './translate-links.ts';

/** The caller who applies a translation, and the site as they see it. */
export interface Applicant {
  readonly identity: Identity;
  readonly site: SiteView;
  /** Whether corrections by hand may be overwritten. */
  readonly overwrite?: boolean;
}

/** The engine's callback has no user. The author is then the translator, or the user who requested the translation. */
const toAuthor = (job: Job, { identity }: Applicant): number =>
  userOf(identity) || job.translator || job.author;

/** The post of the same group in another language; null when there is none. Posts in the trash do not count. */
async function findSibling(store: Store, post: StoredRecord, language: string): Promise<PostRecord | null> {
  const group = Number(post['group']);
  if (group === 0) return null;
  const where = and(
    eq('group', group),
    eq('language', language),
    eq('type', String(post['type'])),
    not(eq('status', 'trash')),
    not(eq('id', post.id)),
  );
  const found = await findFirst(store, { collection: 'posts', where });
  return found === undefined ? null : toPost(found);
}

/** The translation of the parent of a post; 0 if it has none. */
async function findParent(store: Store, { parent }: PostRecord, language: string): Promise<number> {
  const above = parent === 0 ? null : await store.get('posts', parent);
  return above === null ? 0 : ((await findSibling(store, above, language))?.id ?? 0);
}

/** The translation of the featured image of a post; the image itself if it has none. */
async function findFeatured(
  store: Store,
  { featured_media: image }: PostRecord,
  language: string,
): Promise<number> {
  const group = image === 0 ? 0 : Number((await store.get('media', image))?.['group'] ?? 0);
  if (group === 0) return image;
  const where = and(eq('group', group), eq('language', language), oneOf('status', ['', 'inherit']));
  const found = await findFirst(store, { collection: 'media', where, fields: [] });
  return found?.id ?? image;
}

interface Application {
  readonly job: Job;
  readonly source: PostRecord;
}

/** Reads everything the translation is made of. Missing translations of terms are created here, because later posts can use them too. */
async function readTranslation(
  services: TranslationServices,
  { job, source }: Application,
  { cleaned, config }: { cleaned: FieldTexts; config: XmlConfig },
): Promise<Translation> {
  const { store } = services;
  const sibling = await findSibling(store, source, job.target);
  const previous = sibling === null ? null : toPostTexts(sibling).meta;
  return {
    source,
    sibling,
    language: job.target,
    group: await toGroup(store, 'posts', source),
    parent: await findParent(store, source, job.target),
    featured_media: await findFeatured(store, source, job.target),
    texts: toTranslatedTexts(
      toPostTexts(source),
      { fields: job.fields, texts: cleaned },
      { previous, config },
    ),
    terms: await mapTerms(
      {
        store,
        taxonomies: services.content.taxonomies,
        source: job.source,
        target: job.target,
        config,
        names: toTermNames(cleaned),
      },
      source,
    ),
    appliedStatus: services.appliedStatus,
    stamp: toStamp(services.now(), (await services.settings()).zone),
  };
}

/** Adds the source to the translation group, unless it is already a member. */
function toJoin({ source, group }: Translation): readonly Operation[] {
  return source.group === group ? [] : [toUpdate('posts', source, { group })];
}

async function toJobUpdate(
  services: TranslationServices,
  { source, sibling, group }: Translation,
  { job, config }: { job: Job; config: XmlConfig },
): Promise<Operation> {
  const { revision } = await readSource(services.store, source, { target: job.target, config });
  return changeJob(job, {
    status: JOB_STATUS.complete,
    result: sibling?.id ?? { $ref: 'post' },
    open_key: '',
    completed: toMoment(services.now()),
    engine_status: ENGINE_STATUS.delivered,
    needs_update: revision !== job.revision,
    // Joining the group changes the version of the source, but not its texts.
    post_version: source.version + (source.group === group ? 0 : 1),
  });
}

const MAX_NAMED = 20;

const toEditedMessage = (units: readonly string[]): string =>
  `The translation was corrected by hand after it was applied. These units would be overwritten: ${units.slice(0, MAX_NAMED).join(', ')}${units.length > MAX_NAMED ? ', …' : ''}. Send the job again to take the corrections over, or apply it with overwrite.`;

/** What is applied now is what later corrections are compared with. @throws RestError `ml_translation_edited` if corrections would be lost */
async function toAppliedUpdate(
  store: Store,
  { sibling, texts }: Translation,
  { job, overwrite }: { job: Job; overwrite: boolean },
): Promise<Operation> {
  const known = await findApplied(store, job.post, job.target);
  const units =
    sibling === null || known?.result !== sibling.id || overwrite
      ? []
      : await runInTurns(listOverwritten(known, sibling, { fields: job.fields, post: texts }));
  if (units.length > 0)
    throw mlError('ml_translation_edited', {
      message: toEditedMessage(units),
      data: { job_id: job.id, units },
    });
  const values = {
    post: job.post,
    source: job.source,
    target: job.target,
    result: sibling?.id ?? { $ref: 'post' },
    learned: 0,
    texts: await runInTurns(toAppliedTexts(job.fields, texts)),
  };
  return toWrite('ml_applied', known, values);
}

/**
 * Creates or updates the translation of a post. The post of the same translation group in the target language, its
 * revision, the group of the source and the job are written in one commit.
 * @throws StoreError `version` when one of them was changed meanwhile
 */
export async function applyToPost(
  services: TranslationServices,
  application: Application,
  applicant: Applicant,
): Promise<PostRecord> {
  const config = withMetaRules(await readConfig(services.store), services.content, application.source.type);
  const joined = joinJob(application.job);
  const job = { ...application.job, fields: joined.fields };
  const { texts: cleaned, warnings } = await runInTurns(cleanTargets(joined, applicant.identity));
  const linked = await translateLinks(services, cleaned, {
    job,
    source: application.source,
    site: applicant.site,
  });
  const translation = await readTranslation(services, { ...application, job }, { cleaned: linked, config });
  const { sibling, source } = translation;
  const kind = services.kinds.get(source.type);
  const translated = toTranslatedPost(translation);
  const values =
    kind === undefined ? translated : { ...translated, ...toIndexValues(kind, translation.texts.meta) };
  checkBounds('posts', values, sibling ?? source);
  const revision =
    sibling === null || kind === undefined
      ? []
      : await toRevisionOf(
          services,
          { ...sibling, ...values },
          { kind, author: toAuthor(application.job, applicant) },
        );
  const update = await toJobUpdate(services, translation, { job: application.job, config });
  const applied = {
    code: 'applied',
    message: `Applied by ${nameUser(userOf(applicant.identity))}${sibling === null ? ' as a new post' : ` to post ${sibling.id}`}.`,
  };
  const log = [applied, ...warnings].map((entry) => toLogEntry(services, application.job.id, entry));
  const { post } = await savePost(services.store, {
    current: sibling,
    values,
    also: [
      ...revision,
      ...toJoin(translation),
      update,
      await toAppliedUpdate(services.store, translation, {
        job: application.job,
        overwrite: applicant.overwrite ?? false,
      }),
      ...log,
    ],
  });
  return post;
}
