/** The address of this site, for rules that distinguish internal from external addresses. */
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
