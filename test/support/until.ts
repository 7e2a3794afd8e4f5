import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 10;
/** Two minutes: only what hangs takes so long, however busy the machine is. */
const LOOKS = 12_000;

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let looks = 0; !(await holds()); looks += 1) {
    if (looks > LOOKS) throw new Error(`waited in vain for ${what}`);
    await wait(LOOK_MS);
  }
}

/** Tries until it succeeds. */
export async function untilDone<T>(run: () => Promise<T>, what: string): Promise<T> {
  let done: { readonly value: T } | undefined;
  await until(
    () =>
      run().then(
        (value) => {
          done = { value };
          return true;
        },
        () => false,
      ),
    what,
  );
  return (done as { readonly value: T }).value;
}
