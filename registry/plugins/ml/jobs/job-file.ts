import type { Call } from '../../../../lib/index.ts';
import { ADDRESSED, findByIds, own } from '../../../plugin.ts';
import { listJobTerms } from '../glossary/glossary.ts';
import { readConfig } from '../posts/source-texts.ts';
import type { Job } from '../records/job-record.ts';
import { readAddresses, type TranslationServices } from '../services/services.ts';
import { toOriginal, writeXliff, type XliffVersion } from '../xliff/xliff-write.ts';

/** The file of a job. `permalink`: address of its original. */
interface JobFile {
  readonly permalink: string;
  readonly xliff: string;
}

/** Reads what the files of these jobs have in common. @returns writes the file of one of them; it is signed, so that a returned file can be verified */
export async function createFileWriter(
  services: TranslationServices,
  jobs: readonly Job[],
  call: Call,
): Promise<(job: Job, version?: XliffVersion) => Promise<JobFile>> {
  const { shortcodes } = await readConfig(services.store);
  const ids = jobs.map(({ post }) => post);
  const posts = await findByIds(services.store, { collection: 'posts', ids, fields: ADDRESSED });
  const toAddress = await readAddresses(services, [...posts.values()]);
  return async (job, version) => {
    const { id, post, revision, source, target, fields, targets, matches } = job;
    const permalink = toAddress(posts.get(post), call);
    const terms = await listJobTerms(services.store, job);
    const file = {
      original: toOriginal(services.config.secret, { job: id, post, revision }),
      source,
      target,
      reference: permalink,
      notes: [
        `Post type: ${job.post_type}`,
        ...(shortcodes.length === 0 ? [] : [`Do not translate these shortcodes: ${shortcodes.join(', ')}`]),
      ],
      units: fields.map((field) => {
        const translation = own(targets, field.id);
        return {
          id: field.id,
          label: field.label,
          source: field.source,
          target: translation?.text ?? '',
          state: translation?.state ?? 'initial',
          memory: translation?.memory,
          match: own(matches ?? {}, field.id),
          terms: terms.get(field.id),
        };
      }),
    };
    return { permalink, xliff: writeXliff(file, version) };
  };
}
