import { findFaults, type DocumentRules } from '../core/check-document.ts';
import { adviseOn, findUnknownMember, OBJECT } from '../core/check-options.ts';
import { own } from '../core/objects.ts';

/** Where a function belongs whose id stands in a descriptor, which is data. */
const FUNCTIONS: Readonly<Record<string, string>> = { handler: 'handlers', permission: 'permissions' };

/** @throws TypeError for a function in the place of its id */
function checkInline(where: string, value: object): void {
  const [name] =
    Object.entries(value).find(
      ([member, content]) => typeof content === 'function' && Object.hasOwn(FUNCTIONS, member),
    ) ?? [];
  if (name === undefined) return;
  throw new TypeError(
    `${where}: ${name} is a function, but a descriptor is data: write an id, such as ${name}: 'notes.${name}', and give the function under this id to defineNamespace, in its ${own(FUNCTIONS, name)}`,
  );
}

/** The members of one part of a descriptor. */
export interface DescriptorPart {
  /** `endpoint`. */
  readonly name: string;
  readonly members: DocumentRules;
  /** Members that other libraries have, and what to write here. */
  readonly foreign: Readonly<Record<string, string>>;
}

/** Checks one part of a descriptor, which may not have been compiled. @throws TypeError `${where}: …` for the first mistake */
export function checkPart(
  { name, members, foreign }: DescriptorPart,
  toWhere: () => string,
  value: object,
): void {
  const known = Object.keys(members);
  const unknown = findUnknownMember(value, new Set(known));
  if (unknown !== undefined)
    throw new TypeError(
      `${toWhere()}: unknown member "${unknown}" of the ${name}${adviseOn(unknown, known, { what: 'members', foreign })}`,
    );
  const { value: fault } = findFaults('', value, { ...OBJECT, members }).next();
  if (fault === undefined) return;
  checkInline(toWhere(), value);
  throw new TypeError(`${toWhere()}: ${fault as string}`);
}
