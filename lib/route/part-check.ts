import { atPlace, checkMembers, findUnknownMember } from '../core/check-options.ts';
import { own } from '../core/objects.ts';
import type { ArgSchemas } from '../schema/schema-dialect.ts';
import type { Validators } from '../schema/validate.ts';

/** Where a function belongs whose id stands in a descriptor, which is data. */
const FUNCTIONS: Readonly<Record<string, string>> = { handler: 'handlers', permission: 'permissions' };

/** @throws TypeError for a function in the place of its id */
function checkInline(where: string, value: object): void {
  const [name] = Object.entries(value).find(([member, content]) => typeof content === 'function' && Object.hasOwn(FUNCTIONS, member)) ?? [];
  if (name === undefined) return;
  throw new TypeError(`${where}: ${name} is a function, but a descriptor is data: write an id, such as ${name}: 'notes.${name}', and give the function under this id to defineNamespace, in its ${own(FUNCTIONS, name)}`);
}

/** Creates the check of one part of a descriptor against its type. */
export function createPartCheck(part: string, members: ArgSchemas, validators: Validators): (toWhere: () => string, value: object) => void {
  const validate = validators.compile({ type: 'object', properties: members });
  const names = Object.keys(members);
  const known = new Set(names);
  return (toWhere, value) => {
    if (findUnknownMember(value, known) !== undefined) atPlace(toWhere(), () => checkMembers(`the ${part}`, value, names));
    const invalid = validate(part, value);
    if (invalid === null) return;
    checkInline(toWhere(), value);
    throw new TypeError(`${toWhere()}: ${invalid.message}`);
  };
}
