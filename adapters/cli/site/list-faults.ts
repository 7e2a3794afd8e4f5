/** Runs all checks, and returns the messages of those that fail, each once. */
export function listFaults(checks: Iterable<() => unknown>): readonly string[] {
  const faults = new Set<string>();
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      faults.add(error.message);
    }
  }
  return [...faults];
}
