import type { SqliteDriver } from './driver.ts';
import { loadLibsqlDriver } from './libsql-driver.ts';
import { loadNodeDriver } from './node-driver.ts';

/** `node:sqlite` where Node has it, otherwise libsql. @throws TypeError when neither is available. */
export async function chooseDriver(): Promise<SqliteDriver> {
  const driver = loadNodeDriver() ?? (await loadLibsqlDriver());
  if (driver === null)
    throw new TypeError(
      `The file store needs Node 22.13 or newer, or the package libsql beside Node ${process.versions.node}. npm leaves it out with --omit=optional and on platforms that it has no build for. Use a newer Node, or --store postgres://…`,
    );
  return driver;
}

/** The driver with this name. @throws TypeError when it is not available */
export async function loadDriver(name: string): Promise<SqliteDriver> {
  const drivers = [loadNodeDriver(), await loadLibsqlDriver()];
  const driver = drivers.find((each) => each?.name === name);
  if (driver === undefined || driver === null) throw new TypeError(`There is no driver ${name}.`);
  return driver;
}
