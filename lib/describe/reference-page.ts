import { escapeAttribute } from '../core/escape.ts';

/** The npm package whose files show the document. */
export const PAGE_PACKAGE = '@fastify/swagger-ui';

/** Files of the package that the page loads: name in the address -> path in the package. */
export const PAGE_FILES: ReadonlyMap<string, { readonly path: string; readonly type: string }> = new Map([
  ['swagger-ui.css', { path: 'static/swagger-ui.css', type: 'text/css; charset=UTF-8' }],
  ['swagger-ui-bundle.js', { path: 'static/swagger-ui-bundle.js', type: 'text/javascript; charset=UTF-8' }],
]);

/** Name and text of the script that starts the page. It is a file, because the policy of the page forbids scripts inside it. */
export const START_FILE = 'start.js';
export const START_TYPE = 'text/javascript; charset=UTF-8';
export const START_SCRIPT = `const place = document.getElementById('reference');
SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  // Otherwise the page would ask a foreign host to validate the document.
  validatorUrl: 'none',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
});
`;

/** Headers of the page. Everything on it comes from its own origin, no script or style stands inside it, and no other page may frame it. */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** What the page shows. Addresses are paths, so that they hold behind any proxy. */
interface ReferencePage {
  /** Of the descriptions. undefined: English, or not known. */
  readonly language: string | undefined;
  readonly title: string;
  /** Address of the OpenAPI document. */
  readonly document: string;
  /** Address below which the files are. */
  readonly files: string;
}

/** The page as HTML. */
export function writeReferencePage({ language = 'en', title, document, files }: ReferencePage): string {
  return `<!doctype html>
<html lang="${escapeAttribute(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escapeAttribute(files)}/swagger-ui.css">
</head>
<body>
<noscript><a href="${escapeAttribute(document)}">OpenAPI</a></noscript>
<main id="reference" data-document="${escapeAttribute(document)}"></main>
<script src="${escapeAttribute(files)}/swagger-ui-bundle.js"></script>
<script src="${escapeAttribute(files)}/${START_FILE}"></script>
</body>
</html>
`;
}
