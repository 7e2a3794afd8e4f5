import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The pictures of the demo site, below `/uploads/`, with or without a language before it. */
export const DEMO_UPLOADS = fileURLToPath(new URL('../../../../examples/demo-uploads/', import.meta.url));

const PICTURE = /^(?:\/[a-z-]{2,12})?\/uploads\/(\d{4}\/[a-z-]{1,40}\.svg)$/;

/** The picture at this path; null if it does not exist. */
export async function readPicture(pathname: string): Promise<string | null> {
  const [, file] = PICTURE.exec(pathname) ?? [];
  if (file === undefined) return null;
  try {
    return await readFile(`${DEMO_UPLOADS}${file}`, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
