import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createMediaFiles } from '../../adapters/media-files.ts';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createPictures } from '../../adapters/pictures.ts';
import type { Pictures, PictureStep } from '../../registry/core/host/ports.ts';
import { capabilitiesOf, collections, type Bearer, type SiteOptions } from '../../registry/index.ts';
import { batchFixture } from './batch/fixture.ts';
import { openHttpSite, type HttpSite } from './http-site.ts';
import { inFolder } from './temporary.ts';

/** A site on a port whose media library is a new folder. */
export interface MediaSite {
  readonly site: HttpSite;
  /** Address of the media. */
  readonly media: string;
  readonly folder: string;
  /** Headers of a login. */
  as(login: string): Record<string, string>;
  /** Every file in the folder, also those that still arrive. */
  listFiles(): Promise<readonly string[]>;
  /** How many files the store knows. */
  count(): Promise<number>;
}

export interface UploadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The login itself is the token. */
const identify: Bearer = (token) => {
  const user = (batchFixture.users ?? []).find(({ login }) => login === token);
  const role = String(user?.['role']);
  return user === undefined ? null : { id: Number(user['id']), role, capabilities: capabilitiesOf(role) };
};

/**
 * Pictures without a process: each is the source, with the size that its steps name, or else that of the source.
 * `asked`: what was wanted, one list of steps for each picture.
 */
export function createFakePictures(
  size: { readonly width: number; readonly height: number },
  asked: (readonly PictureStep[])[] = [],
): Pictures {
  return {
    types: () => Promise.resolve(['image/png']),
    async make({ source, wanted }) {
      asked.push(...wanted);
      const bytes = await source();
      const made = wanted.map((steps) => {
        const last = steps.at(-1);
        const { width, height } = last?.kind === 'scale' ? last : size;
        return { bytes, width, height };
      });
      return { ...size, made };
    },
  };
}

/** Runs a test on a site with uploads. */
export function withMediaSite(
  options: Partial<SiteOptions>,
  test: (site: MediaSite) => Promise<void>,
): Promise<void> {
  return inFolder(async (folder) => {
    const store = createMemoryStore(collections);
    const media = createMediaFiles(folder, { writable: true });
    const site = await openHttpSite(batchFixture, {
      store,
      content: 'core',
      media,
      pictures: createPictures(),
      bearer: identify,
      ...options,
    });
    const as = (login: string): Record<string, string> => ({ Authorization: `Bearer ${login}` });
    const listFiles = async (): Promise<readonly string[]> =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .toSorted();
    const count = async (): Promise<number> =>
      (await store.find({ collection: 'media', limit: 1, total: true })).total;
    try {
      await test({ site, media: `${site.origin}/en/cms-json/cms/v2/media`, folder, as, listFiles, count });
    } finally {
      await site.close();
    }
  });
}

/** Sends a request and reads its JSON. */
export async function askJson(url: string, init: RequestInit): Promise<UploadAnswer> {
  const response = await fetch(url, init);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Readonly<Record<string, unknown>>,
  };
}

/** Uploads bytes as the body. */
export function uploadBody(
  { media, as }: MediaSite,
  bytes: Uint8Array | string,
  {
    name,
    login = 'administrator',
    headers = {},
  }: { readonly name: string; readonly login?: string; readonly headers?: Record<string, string> },
): Promise<UploadAnswer> {
  return askJson(media, {
    method: 'POST',
    headers: {
      ...as(login),
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${name}"`,
      ...headers,
    },
    body: bytes,
  });
}

/** Uploads bytes as the file of a form. */
export function uploadForm(
  { media, as }: MediaSite,
  bytes: Uint8Array | string,
  {
    name,
    login = 'administrator',
    fields = {},
  }: { readonly name: string; readonly login?: string; readonly fields?: Record<string, string> },
): Promise<UploadAnswer> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([bytes]), name);
  return askJson(media, { method: 'POST', headers: as(login), body: form });
}
