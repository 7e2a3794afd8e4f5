type Headers = Readonly<Record<string, string>>;

/** The headers of a response that is the same whatever the client accepts. */
export function withoutAccept(headers: Headers): Headers {
  const { Vary: vary, ...others } = headers;
  if (vary === undefined) return headers;
  const names = vary.split(',').map((name) => name.trim());
  const left = names.filter((name) => name !== 'Accept').join(', ');
  return left === '' ? others : { ...others, Vary: left };
}
