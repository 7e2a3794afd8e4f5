/** Lets everything else that waits have its turn: long work calls it between its items. */
export function pause(): Promise<void> {
  return new Promise((resolve) => { setImmediate(resolve); });
}
