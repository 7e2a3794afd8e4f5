/** The message of what was thrown, which need not be an error. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** The code of an error, as those of Node and of drivers have one; undefined if there is none. */
export const codeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
