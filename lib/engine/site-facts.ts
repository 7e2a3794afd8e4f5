import { isPlainObject, kindOf } from '../core/objects.ts';
import { checkJson } from '../json/json-loss.ts';
import type { Call } from '../route/call.ts';

/**
 * The facts about the site at the start of the index, for one language. Return the same object as long as nothing changes.
 * `name`, `description`: title and tagline. `url`, `home`: address of the site, and of its pages.
 * `show_on_front`: what the home page shows, `posts` or `page`. `page_for_posts`, `page_on_front`: ids of pages; 0: none.
 */
export interface SiteFacts {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly home: string;
  /** Hours east of Greenwich, as text. */
  readonly gmt_offset: string;
  /** Name of the time zone, such as `Europe/Paris`; '' if only the offset is set. */
  readonly timezone_string: string;
  readonly page_for_posts: number;
  readonly page_on_front: number;
  readonly show_on_front: string;
  /** Ways to log in by their names, each with the address where a person allows it. Default: none, an empty list. */
  readonly authentication?: Readonly<Record<string, object>>;
}

/** Returns the facts about the site at the start of the index. */
export type DescribeSite = (call: Call) => Promise<SiteFacts>;

/** The facts that a host returned. @throws TypeError for anything but an object that JSON can hold */
export function checkFacts(facts: unknown): object {
  if (typeof facts !== 'object' || facts === null || !isPlainObject(facts))
    throw new TypeError(
      `describeSite returned ${kindOf(facts)}; it must return an object with facts about the site`,
    );
  checkJson('describeSite returned', facts);
  return facts;
}
