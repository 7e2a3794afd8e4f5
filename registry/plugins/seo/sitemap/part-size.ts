/** Limits of one sitemap (sitemaps.org, protocol 0.9). */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 50 * 1024 * 1024;
/** Bytes of an element that names an address: its markup, a home page of 50 bytes and the longest slug. */
const ADDRESS_BYTES = 320;

/** Number of entries of one sitemap, for a site with so many languages. Each entry may name a version in each of them, and the default one. */
export function toPartSize(languages: number): number {
  const links = languages < 2 ? 0 : languages + 1;
  return Math.min(MAX_ENTRIES, Math.floor(MAX_BYTES / (ADDRESS_BYTES * (1 + links))));
}
