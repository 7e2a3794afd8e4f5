/** Limits of a server that tests ask: a busy machine makes it slow, never unavailable. */
export const PATIENT = Object.freeze({ loopDelayMs: 600_000 });
