/** `machine` of a job that waits for the machines. */
export const QUEUED = 'queued';
