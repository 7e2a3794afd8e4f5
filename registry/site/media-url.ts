/** Where a file of the media library is served. `file`: path below the uploads, or an absolute address. */
export function toMediaUrl(siteUrl: string, file: string): string {
  if (/^https?:\/\//.test(file)) return file;
  return `${siteUrl}/uploads/${file.split('/').map(encodeURIComponent).join('/')}`;
}
