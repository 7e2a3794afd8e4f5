/** Runs the function and puts the place before what it complains about. @throws TypeError `${where}: …` */
export function atPlace<T>(where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new TypeError(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
