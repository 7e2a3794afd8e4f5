import { createErrors, engineError, type ErrorTable, type RestError } from '../../lib/core/errors.ts';

/** The codes of `seo/v1` beside those of the engine and of the upstream port. */
export const SEO_ERRORS = {
  introduction_not_found: [404, 'There is no introduction with this id.'],
  integration_not_found: [404, 'There is no integration with this id.'],
  integration_inactive: [403, 'This integration is switched off. Switch it on with /seo/v1/integrations/set_active.'],
  post_not_found: [404, 'There is no post with this id.'],
  import_not_found: [404, 'There is nothing to import under this plugin and type.'],
  import_source_missing: [404, 'The import directory holds no file for this type.'],
  seo_error_validation: [422, 'The file to import holds lines that can not be read.'],
  seo_representation_failed: [400, 'Some fields of the site representation are not valid; nothing was saved.'],
  authorization_not_started: [409, 'No authorization is under way. Ask for the authorization address first.'],
  authorization_refused: [401, 'The service did not accept the authorization code.'],
  authorization_missing: [409, 'The site is not authorized at this service. Authenticate first.'],
} as const satisfies ErrorTable;

/** Makes an error of the table above. */
export const seoError = createErrors(SEO_ERRORS);

/** One parameter that the schema can not judge: `rest_invalid_param` 400 with the reason under its name. */
export function invalidParam(param: string, reason: string): RestError {
  return engineError('rest_invalid_param', {
    message: `Invalid parameter(s): ${param}`,
    data: { params: { [param]: reason }, details: { [param]: { code: 'rest_invalid_param', message: reason, data: null } } },
  });
}
