import { createHmac, timingSafeEqual } from 'node:crypto';

/** The origin of an export. `revision`: the state of the source texts (`toRevision`). */
interface XliffOrigin {
  readonly job: number;
  readonly post: number;
  readonly revision: string;
}

const MAC_LENGTH = 32;
const ORIGINAL = /^([1-9]\d{0,14})-([0-9a-f]{16})-([0-9a-f]{32})$/;

function sign(secret: Uint8Array, { job, post, revision }: XliffOrigin): string {
  return createHmac('sha256', secret)
    .update(`xliff|${job}|${post}|${revision}`)
    .digest('hex')
    .slice(0, MAC_LENGTH);
}

/** The value of `file@original`. It proves that this site made the returned file for this job, and from which texts. */
export function toOriginal(secret: Uint8Array, origin: XliffOrigin): string {
  return `${origin.job}-${origin.revision}-${sign(secret, origin)}`;
}

/** The revision that a file of this job was made from; null for any other file. */
export function readOriginal(
  secret: Uint8Array,
  original: string,
  { job, post }: Pick<XliffOrigin, 'job' | 'post'>,
): string | null {
  const [, jobText, revision, mac] = ORIGINAL.exec(original) ?? [];
  if (revision === undefined || mac === undefined || Number(jobText) !== job) return null;
  const expected = sign(secret, { job, post, revision });
  return timingSafeEqual(Buffer.from(mac), Buffer.from(expected)) ? revision : null;
}
