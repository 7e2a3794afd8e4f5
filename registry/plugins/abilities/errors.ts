import { type ErrorTable, createErrors } from '../../../lib/index.ts';

/** The errors of `cms-abilities/v1`, with the codes of WordPress 7.1. */
export const ABILITY_ERRORS = {
  rest_ability_not_found: [404, 'Ability not found.'],
  rest_ability_category_not_found: [404, 'Ability category not found.'],
  rest_ability_invalid_method: [405, 'The ability is run with another method. The header Allow names it.'],
  rest_ability_cannot_execute: ['denied', 'Sorry, you are not allowed to execute this ability.'],
  rest_ability_invalid_page_number: [
    400,
    'The page number requested is larger than the number of pages available.',
  ],
  ability_invalid_input: [400, 'The input does not fit the input schema of the ability.'],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const abilityError = createErrors(ABILITY_ERRORS);
