import type { Files } from '../../registry/core/host/ports.ts';

/** Directories in memory. `locales` and `output`: bytes by name. */
export interface MemoryFiles extends Files {
  readonly locales: Map<string, Uint8Array>;
  readonly output: Map<string, Uint8Array>;
}

export function createMemoryFiles(locales: Readonly<Record<string, Uint8Array>> = {}): MemoryFiles {
  const directories = { locales: new Map(Object.entries(locales)), output: new Map<string, Uint8Array>() };
  return {
    ...directories,
    list: async (directory, prefix) =>
      [...directories[directory].keys()].filter((name) => name.startsWith(prefix)).sort(),
    read: async (directory, name) => directories[directory].get(name) ?? null,
    write: async (directory, name, bytes) => {
      directories[directory].set(name, bytes);
    },
  };
}
