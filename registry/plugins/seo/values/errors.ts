import { createErrors, engineError, type ErrorTable, type RestError } from '../../../../lib/index.ts';

/** Error codes of `seo/v1`, besides those of the engine and of the upstream port. */
export const SEO_ERRORS = {
  introduction_not_found: [404, 'There is no introduction with this id.'],
  integration_not_found: [404, 'There is no integration with this id.'],
  integration_inactive: [
    403,
    'This integration is switched off. Switch it on with /seo/v1/integrations/set_active.',
  ],
  keyphrase_not_found: [404, 'The rank tracker has no keyphrase with this id.'],
  post_not_found: [404, 'There is no post with this id.'],
  import_not_found: [404, 'There is nothing to import under this plugin and type.'],
  import_source_missing: [404, 'The import directory has no file for this type.'],
  seo_error_validation: [422, 'The import files contain invalid lines.'],
  seo_representation_failed: [
    400,
    'Some fields of the site representation are not valid; nothing was saved.',
  ],
  authorization_not_started: [409, 'No authorization is pending. Request the authorization URL first.'],
  authorization_refused: [401, 'The service did not accept the authorization code.'],
  authorization_missing: [409, 'The site is not authorized with this service. Authenticate first.'],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const seoError = createErrors(SEO_ERRORS);

/** A missing parameter that the schema cannot detect. */
export const missingParam = (param: string): RestError =>
  engineError('rest_missing_callback_param', {
    message: `Missing parameter(s): ${param}`,
    data: { params: [param] },
  });
