import { createRequire } from 'node:module';

/** Whether the optional package that makes smaller copies of pictures is installed. */
export function hasSharp(): boolean {
  try {
    createRequire(import.meta.url).resolve('sharp');
    return true;
  } catch {
    return false; // MODULE_NOT_FOUND
  }
}
