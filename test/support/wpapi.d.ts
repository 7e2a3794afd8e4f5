declare module 'wpapi' {
  /** A page of a list, or a record. */
  interface WpRecord {
    id: number;
    slug: string;
    password?: string;
    deleted?: boolean;
    title: { rendered: string };
    name: string;
    meta: Record<string, unknown>;
    _embedded?: Record<string, WpRecord[]>;
  }
  interface WpList extends Array<WpRecord> {
    _paging?: { total: number; totalPages: number; links: Record<string, string>; next?: WpRequest };
  }
  interface WpRequest {
    get(): Promise<WpList & WpRecord>;
    create(data: object): Promise<WpRecord>;
    update(data: object): Promise<WpRecord>;
    delete(data?: object): Promise<WpRecord>;
    headers(): Promise<Record<string, string>>;
    id(id: number): WpRequest;
    perPage(size: number): WpRequest;
    page(page: number): WpRequest;
    embed(): WpRequest;
    search(text: string): WpRequest;
    slug(slug: string): WpRequest;
    categories(ids: readonly number[]): WpRequest;
    order(order: string): WpRequest;
    orderby(key: string): WpRequest;
    param(name: string, value: unknown): WpRequest;
    me(): WpRequest;
    type(name: string): WpRequest;
    file(bytes: Uint8Array, name: string): WpRequest;
    revisions(): WpRequest;
  }
  type WpName =
    | 'posts'
    | 'pages'
    | 'categories'
    | 'tags'
    | 'media'
    | 'comments'
    | 'users'
    | 'types'
    | 'statuses'
    | 'taxonomies'
    | 'settings'
    | 'books'
    | 'genres';
  type WpSite = Record<WpName, () => WpRequest> & {
    auth(login: { username: string; password: string }): WpSite;
    namespace(name: string): WpSite;
    root(path: string): WpRequest;
  };
  export default class WPAPI {
    constructor(options: { endpoint: string; username?: string; password?: string });
    static discover(url: string): Promise<WpSite>;
  }
}
