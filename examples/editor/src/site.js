import apiFetch from '@wordpress/api-fetch';

const LOGIN = 'routebook-editor-login';

// The password is gone when the tab is closed. No cookie is used, so no other site can act with it.
apiFetch.use(apiFetch.createRootURLMiddleware(`${location.origin}/wp-json/`));
apiFetch.use((options, next) =>
  next({
    ...options,
    headers: { ...options.headers, Authorization: `Basic ${sessionStorage.getItem(LOGIN)}` },
  }),
);

export const isSignedIn = () => sessionStorage.getItem(LOGIN) !== null;

export function signOut() {
  sessionStorage.removeItem(LOGIN);
  location.assign('/edit/');
}

/** Keeps a login that the site accepts. */
export async function signIn(login, password) {
  const bytes = new TextEncoder().encode(`${login}:${password}`);
  sessionStorage.setItem(LOGIN, btoa(String.fromCharCode(...bytes)));
  try {
    return await apiFetch({ path: '/wp/v2/users/me?context=edit' });
  } catch (error) {
    sessionStorage.removeItem(LOGIN);
    throw error;
  }
}

/** A page of records, and how many pages there are. */
export async function readPage(path) {
  const response = await apiFetch({ path, parse: false });
  return { records: await response.json(), pages: Number(response.headers.get('X-WP-TotalPages')) };
}

/** The types that have a list, with their names. */
export async function readTypes() {
  const types = await apiFetch({ path: '/wp/v2/types?context=edit' });
  return Object.values(types).filter(
    ({ viewable, slug }) => slug !== 'attachment' && (viewable || slug === 'wp_block'),
  );
}

export async function readLanguages() {
  const { endpoints } = await apiFetch({ path: '/wp/v2/posts', method: 'OPTIONS' });
  return endpoints[0].args.wpml_language.enum;
}
