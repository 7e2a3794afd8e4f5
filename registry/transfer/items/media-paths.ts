import { isObject, own } from '../../../lib/core/objects.ts';
import type { Item } from './item.ts';

/** The paths of a media record in the library: its file and its smaller copies, which are in the same folder. */
export function listMediaPaths({ collection, values }: Item): readonly string[] {
  const file = own(values, 'file');
  if (collection !== 'media' || typeof file !== 'string' || file === '' || /^https?:\/\//.test(file))
    return [];
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const sizes = own(values, 'sizes');
  const copies = isObject(sizes)
    ? Object.values(sizes).flatMap((size) =>
        isObject(size) && typeof size['file'] === 'string' ? [`${folder}${size['file']}`] : [],
      )
    : [];
  return [file, ...copies];
}
