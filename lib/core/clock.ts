/** Milliseconds since the process began, by `now()`. The global `performance` is a getter that V8 does not inline, so it is read once. */
export const clock = performance;
