const MAX_LENGTH = 2048;

/** Whether the text is an absolute http(s) URL with a host and without a user name. */
export function isWebAddress(text: string): boolean {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return (
    (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && hostname !== ''
  );
}
