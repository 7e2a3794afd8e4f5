/** Runs and counts what nobody caught meanwhile: rejections and exceptions. */
export async function countUnhandled(run: () => Promise<void>): Promise<number> {
  let count = 0;
  const note = (): void => { count += 1; };
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  try {
    await run();
    // Node reports a rejection only after the turn in which nobody took it.
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  } finally {
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
  }
  return count;
}
