import { z } from 'zod';

export const ITEM_PATH = z.object({ id: z.coerce.number().int() });
export const ITEM_QUERY = z.object({ limit: z.coerce.number().int().min(1).max(100).default(10) });
export const NEW_ITEM = z.object({
  name: z.string().min(1),
  quantity: z.number().int().min(1),
  active: z.boolean(),
});
