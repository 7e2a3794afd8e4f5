import { oneOf } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';

/** Width and height of a picture in pixels, as it is uploaded. */
export interface PictureSize {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
}

/** Sizes of pictures by the ids of their records. */
export type ReadPictureSizes = (ids: readonly number[]) => Promise<ReadonlyMap<number, PictureSize>>;

/** Pictures of one text whose sizes are read. */
const MOST = 100;

/** Reads the sizes of pictures that a text shows, so that a page keeps their places while they load. Unknown ones are left out. */
export function createReadPictureSizes(store: Store): ReadPictureSizes {
  return async (ids) => {
    if (ids.length === 0) return new Map();
    const { records } = await store.find({
      collection: 'media',
      where: oneOf('id', ids.slice(0, MOST)),
      fields: ['width', 'height'],
    });
    return new Map(
      records
        .map(({ id, width, height }) => [id, { width: Number(width), height: Number(height) }] as const)
        .filter(([, { width, height }]) => width > 0 && height > 0),
    );
  };
}
