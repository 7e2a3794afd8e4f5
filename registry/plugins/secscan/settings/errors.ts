import { createErrors, type ErrorTable } from '../../../../lib/index.ts';

/** The errors of `secscan/v1` in addition to those of the engine and of the upstream port. */
export const SECSCAN_ERRORS = {
  // One message for every reason, so that an anonymous caller learns neither what is missing nor which check failed.
  rest_forbidden_context: ['denied', 'The request carries no valid token or signature for this site.'],
  rest_set_config_error: [422, 'Some settings are not valid; nothing was saved.'],
  rest_save_config_error: [500, 'The settings are valid, but could not be saved.'],
  secscan_invalid_connection: [422, 'The values of the connection are not valid.'],
  secscan_already_connected: [409, 'The site is connected with another key. Disconnect it first.'],
  scan_running: [409, 'A scan is running. Wait for its end, or stop it with DELETE /secscan/v1/scan.'],
  scan_issue_not_found: [404, 'There is no issue with this id.'],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const secscanError = createErrors(SECSCAN_ERRORS);
