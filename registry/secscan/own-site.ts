/** Where the site itself lives, for rules that tell own from foreign. */
export interface OwnSite {
  readonly url: string;
  /** Lower case, without port. */
  readonly host: string;
  readonly secure: boolean;
}

/** `url`: absolute address of the site. */
export function toOwnSite(url: string): OwnSite {
  const { hostname, protocol } = new URL(url);
  return { url, host: hostname, secure: protocol === 'https:' };
}
