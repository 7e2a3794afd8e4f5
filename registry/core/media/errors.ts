import { createErrors, type ErrorTable } from '../../../lib/core/errors.ts';

/** Errors of writes of media. Where WordPress answers 500 for a mistake of the caller, the status is 400. */
export const MEDIA_ERRORS = {
  rest_upload_no_data: [400, 'No data supplied.'],
  rest_upload_no_content_type: [400, 'No Content-Type supplied.'],
  rest_upload_no_content_disposition: [400, 'No Content-Disposition supplied.'],
  rest_upload_invalid_disposition: [
    400,
    'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.',
  ],
  rest_upload_hash_mismatch: [412, 'Content hash did not match expected.'],
  rest_upload_sideload_error: [400, 'Sorry, you are not allowed to upload this file type.'],
  rest_upload_unknown_error: [400, 'Sorry, you are not allowed to upload this file type.'],
  rest_upload_unavailable: [501, 'This site does not store uploads.'],
  rest_cannot_edit_image: ['denied', 'Sorry, you are not allowed to upload media on this site.'],
  rest_unknown_attachment: [404, 'Unable to get meta information for file.'],
  rest_cannot_edit_file_type: [400, 'This type of file cannot be edited.'],
  rest_image_not_edited: [400, 'The image was not edited. Edit the image before applying the changes.'],
  rest_image_crop_failed: [400, 'Unable to crop this image.'],
  rest_unknown_image_file_type: [500, 'Unable to edit this image.'],
  rest_invalid_param: [400, 'Invalid parent type.'],
  rest_trash_not_supported: [501, "The post does not support trashing. Set 'force=true' to delete."],
} as const satisfies ErrorTable;

export const mediaError = createErrors(MEDIA_ERRORS);
