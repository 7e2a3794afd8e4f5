import { type ErrorTable, createErrors, type RestError } from '../../../../lib/index.ts';

/** Error codes of the translation namespaces. A job that a translator may not change gives 403 and not 404, because translators see such jobs in lists. */
export const ML_ERRORS = {
  ml_glossary_not_found: [404, 'There is no entry of the glossary with this ID.'],
  ml_glossary_file_invalid: [
    422,
    'The file of terms is not valid, and nothing was imported. `data.errors` says where.',
  ],
  ml_glossary_full: [422, 'The glossary has as many entries as it can have.'],
  invalid_xml_config: [400, 'The configuration is not valid. `data.errors` says where.'],
  ml_post_not_found: [404, 'The post does not exist, or you may not read it.'],
  ml_job_not_found: [404, 'There is no translation job with this ID.'],
  job_not_found: [404, 'There is no translation job with this ID.'],
  batch_not_found: [404, 'There is no batch with this ID.'],
  translator_not_found: [404, 'There is no user with this ID.'],
  translator_not_capable: [422, 'The user does not translate between the languages of the job.'],
  ml_same_language: [422, 'The target language is the language of the post.'],
  ml_language_unknown: [422, 'The site does not have this language.'],
  ml_type_not_translatable: [422, 'The configuration excludes posts of this type from translation.'],
  ml_job_exists: [
    409,
    'An open job translates this post into this language already. `data.job_id` names it.',
  ],
  ml_job_closed: [409, 'The job is complete or cancelled.'],
  ml_job_forbidden: ['denied', 'This job is not assigned to you, and you cannot take it.'],
  ml_tm_xliff_forbidden: ['denied', 'This job is not assigned to you, and you cannot take it.'],
  ml_xliff_no_translation_units: [422, 'The post of this job has no text to translate.'],
  not_your_job: [
    'denied',
    'Only the translator of the job or a translation manager may deliver its translation.',
  ],
  not_xml_file: [422, 'The file is not XML, or is XML that is not allowed.'],
  xliff_invalid: [422, 'The file is not an XLIFF file that can be imported.'],
  xliff_markup_lost: [
    422,
    'The translation lacks shortcodes, placeholders or blocks of its source. `data.units` names them.',
  ],
  xliff_does_not_match: [422, 'The file was not made by this site for this job.'],
  ml_review_needed: [409, 'A machine made this translation. A person has to accept it first.'],
  ml_translation_edited: [
    409,
    'The translation was corrected by hand after it was applied. `data.units` names what would be overwritten. Send the job again to take the corrections over, or apply it with `overwrite`.',
  ],
  ml_job_not_translated: [409, 'The translation of this job is not available yet.'],
  ml_receive_invalid_token: [403, 'The token `t` is missing or not the one of this job.'],
  ml_job_missing: [422, 'The job no longer exists.'],
  ml_job_cancelled: [422, 'The job is cancelled.'],
  edited: [422, 'The translation is being edited.'],
  xliff_not_ready: [425, 'The translation is not ready yet. Try again later.'],
  apply_failed: [503, 'The translation could not be applied. Try again later.'],
  locked: [423, 'The job is being worked on. Try again shortly.'],
  ml_engine_unknown: [400, 'There is no translation engine with this name.'],
  endpoint_without_parameters: [400, 'The request must have the parameters `url` and `method`.'],
  missing_required_parameters: [400, 'The parameters `url` and `method` are required.'],
  invalid_method: [400, 'The parameter `method` must be the HTTP method of the request.'],
  invalid_url: [400, 'The parameter `url` must be a path or an address of the connected service.'],
  mo_dir_not_writable: [500, 'The directory of the generated .mo files is not writable.'],
} as const satisfies ErrorTable;

export const mlError = createErrors(ML_ERRORS);

/** The error about a job, which `data.job_id` names. */
export const jobError = (code: keyof typeof ML_ERRORS, job: number): RestError =>
  mlError(code, { data: { job_id: job } });

/** The error for the first of these languages that the site does not have; null: it has all of them. */
export function findUnknownLanguage(
  languages: readonly string[],
  named: readonly string[],
): RestError | null {
  const unknown = named.find((language) => !languages.includes(language));
  return unknown === undefined
    ? null
    : mlError('ml_language_unknown', {
        message: `The site does not have the language "${unknown}". It has ${languages.join(', ')}.`,
        data: { language: unknown },
      });
}
