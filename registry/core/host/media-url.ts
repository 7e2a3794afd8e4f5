/** Path of the media library below the site. */
export const MEDIA_PATH = '/uploads/';

/** The address at which a file of the media library is served. `file`: path below the uploads, or an absolute address. */
export function toMediaUrl(siteUrl: string, file: string): string {
  if (/^https?:\/\//.test(file)) return file;
  return `${siteUrl}${MEDIA_PATH}${file.split('/').map(encodeURIComponent).join('/')}`;
}
