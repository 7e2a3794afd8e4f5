import type { DemoLogin } from '../site/demo-logins.ts';

/** What is known of a server that has started. */
export interface Started {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly language: string;
  /** Path of the API below the language, such as `/cms-json`. */
  readonly base: string;
  readonly hasReference: boolean;
  /** A login that everybody knows; undefined if there is none. */
  readonly demo: DemoLogin | undefined;
}

/** What to do next, as lines for the terminal. */
export function describeStart({ origin, language, base, hasReference, demo }: Started): readonly string[] {
  const api = `${origin}/${language}${base}`;
  return [
    `site        ${origin}/${language}/`,
    ...(hasReference ? [`reference   ${api}/reference`] : []),
    ...(demo === undefined
      ? [`try         curl "${api}/cms/v2/posts?_fields=id,link"`]
      : [
          `login       ${demo.login}, password ${demo.password} (of the demo: everybody knows it)`,
          `try         curl -u ${demo.login}:${demo.password} "${api}/cms/v2/posts?context=edit&_fields=id,title"`,
          'your own    routebook init my-site, then routebook serve in the directory my-site',
        ]),
  ];
}
