import type { Call } from '../../../lib/index.ts';
import { type PostRecord, type Render, escapeAttribute, perObject, renderTitle } from '../../plugin.ts';
import { type LoadTargets, MOST_TARGETS, type Target } from './targets.ts';

/** What the block calls the kinds of its targets. */
const KINDS: ReadonlyMap<unknown, string> = new Map([
  ['post-type', 'post_type'],
  ['taxonomy', 'taxonomy'],
]);

/** The targets that a call has loaded, by what the blocks say. The posts of a list often lead to the same. */
const knownTo = perObject((_call: Call) => new Map<string, Target | undefined>());

/** Renders the link of a navigation with the address of its target. A link to what the caller may not see is left out with all below it. */
export const createLinkBlock =
  (loadTargets: LoadTargets): Render =>
  async ({ kind, id = 0, label = '', url = '' }, { content, call }) => {
    const aim = {
      _menu_item_type: KINDS.get(kind) ?? 'custom',
      _menu_item_object_id: Number(id),
      _menu_item_url: String(url),
    };
    const item = { id: 0, language: call.language, meta: aim } as unknown as PostRecord;
    const known = knownTo(call);
    const key = JSON.stringify(aim);
    if (!known.has(key) && known.size < MOST_TARGETS)
      known.set(key, (await loadTargets([item], call)).get(0));
    const target = known.get(key);
    if (target === undefined) return '';
    const below =
      content.trim() === '' ? '' : `<ul class="wp-block-navigation__submenu-container">${content}</ul>`;
    const text = String(label) === '' ? renderTitle(target.title) : String(label);
    return `<li class="wp-block-navigation-item"><a class="wp-block-navigation-item__content" href="${escapeAttribute(target.url)}">${text}</a>${below}</li>`;
  };
