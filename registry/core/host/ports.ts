import type { ChangeLog } from '../../../lib/changes/change-log.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import type { Outbound } from '../../../lib/ports/outbound.ts';
import type { Uploads } from '../../../lib/ports/uploads.ts';
import type { Upstream } from '../../../lib/ports/upstream.ts';
import type { Store } from '../../../lib/store/store.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { Background } from './background.ts';

export type { LogEvent } from '../../../lib/dispatch/runtime.ts';
export type { Outbound, OutboundAnswer, OutboundRequest } from '../../../lib/ports/outbound.ts';
export type { Upstream, UpstreamAnswer, UpstreamRequest } from '../../../lib/ports/upstream.ts';

/** What the handlers of all namespaces need from outside. Passed once, when the site is built. */
export interface Ports {
  /** The store of the site. */
  readonly store: Store;
  /** Clock in milliseconds, for tests. */
  readonly now: () => number;
  /** Random bytes, for tests. */
  readonly random: (count: number) => Uint8Array;
  /** Requests to public addresses, such as `createOutbound()`. Default: none. */
  readonly outbound?: Outbound | undefined;
  /** Connected services, such as `createUpstream(services)`. Default: none. */
  readonly upstream: Upstream;
  /** Directories for files, such as `createFiles({ locales, output })`. Default: none. */
  readonly files?: Files | undefined;
  /** What has happened to records. */
  readonly changes: ChangeLog;
  /** Work that runs outside of requests. It is stopped before the store is closed. */
  readonly background: Background;
  /** Receives what callers must not see. If it fails, standard error says so. Default: `logToConsole`. */
  readonly log: (event: LogEvent) => void;
  /** Files of the media library, such as `createMediaFiles(directory, { writable: true })`. Default: none. */
  readonly media?: Media | undefined;
  /** Makes smaller copies of pictures, such as `createPictures()`. Default: none. */
  readonly pictures?: Pictures | undefined;
  /** Files to import, such as `createImportFiles(directory)`. Default: none. */
  readonly imports?: Imports | undefined;
  /** Receives notices about translation jobs. Default: nobody is notified. */
  readonly notify?: Notify | undefined;
  /** The operator's receiver of all events, and of notices if `notify` is absent. A plugin must send to it, as `changes` does. Default: none. */
  readonly webhook?: Webhook | undefined;
  /** False: every representation is built again. Absent: finished parts of responses are cached. */
  readonly cache?: false | undefined;
  /** Time of a call in milliseconds (permission, handler, embeds); 504 after that. Default 30,000. */
  readonly handlerTimeoutMs?: number | undefined;
  /** Types, taxonomies and meta keys of the site. */
  readonly content: ContentModel;
  /** Set by the host. The documentation of each namespace describes its members. */
  readonly config: SiteConfig;
}

/**
 * Files in the configured directories: `locales` is read, `output` is written. A name has one to four segments, joined by slashes.
 * A segment consists of letters, digits, dots, hyphens and underscores and does not begin with a dot.
 */
export interface Files {
  /** Names of the files below the directories, sorted. Files whose names are not valid are left out. `prefix`: the first segments of the names, such as `plugins/`. */
  list(directory: 'locales', prefix: string): Promise<readonly string[]>;
  /** Returns null if the file does not exist. @throws Error if it is larger than `maxBytes` or cannot be read. */
  read(directory: 'locales', name: string, maxBytes: number): Promise<Uint8Array | null>;
  /** Writes the file atomically: on an error, the old file stays. @throws Error if the directory cannot be written. */
  write(directory: 'output', name: string, bytes: Uint8Array): Promise<void>;
}

/** Languages and secrets of the site, and one member for each namespace. */
export interface SiteConfig {
  /** Address prefixes, such as `['en', 'fr']`. The first one is the default. */
  readonly prefixes: readonly string[];
  /** Values of `ml_language`, such as `['nl', 'en', 'fr']`. */
  readonly languages: readonly string[];
  /** Key for signatures (XLIFF origin, nonces, tokens). At least 32 random bytes, the same after every restart. */
  readonly secret: Uint8Array;
  /** Settings by namespace. */
  readonly namespaces: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The files of the media library. A path is relative to the root of the library: `2023/12/picture.png`. */
export interface Media {
  /** Size in bytes of the file at this path; null if it does not exist. */
  size(path: string): Promise<number | null>;
  /** Stores files. Absent: the library can only be read. */
  readonly storage?: MediaStorage | undefined;
}

/** Stores the files of the media library. A file arrives under an id, where nobody can read it, and is published under its path once it has been checked. */
export interface MediaStorage extends Uploads {
  /** Bytes of an arrived file from this offset; fewer at the end of the file. */
  read(id: string, offset: number, length: number): Promise<Uint8Array>;
  /** Moves an arrived file into the library. False: the path is taken; nothing has changed. */
  publish(id: string, path: string): Promise<boolean>;
  /** The file at this path; null if it does not exist. */
  load(path: string): Promise<Uint8Array | null>;
  /** Writes a file atomically, in place of one that has the path. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes the file at this path, if there is one. */
  discard(path: string): Promise<void>;
}

/** One step from a picture to another one. */
export type PictureStep =
  /** Scales the picture to this size, in pixels. `cover`: fills the size and cuts off what does not fit. */
  | { readonly kind: 'scale'; readonly width: number; readonly height: number; readonly cover: boolean }
  /** Cuts out a part. Percent of the picture that the steps before have made; what lies outside of it does not count. */
  | {
      readonly kind: 'crop';
      readonly left: number;
      readonly top: number;
      readonly width: number;
      readonly height: number;
    }
  /** Degrees, clockwise. */
  | { readonly kind: 'rotate'; readonly angle: number }
  | { readonly kind: 'flip'; readonly horizontal: boolean; readonly vertical: boolean };

/** A picture in the media type of its source. */
export interface MadePicture {
  /** The encoded picture. */
  readonly bytes: Uint8Array;
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
}

/** What is made of one picture. */
export interface PictureWork {
  /** The bytes of the picture. Called when it is the turn of this work. */
  readonly source: () => Promise<Uint8Array>;
  /** Media type of the source. */
  readonly type: string;
  /** The steps to each picture that is wanted. If empty, the source is only decoded. */
  readonly wanted: readonly (readonly PictureStep[])[];
  /** Most pixels of the source and of the result of each step. An editor may have a lower limit of its own. */
  readonly maxPixels?: number;
  /** Id of the user. Users take turns. */
  readonly owner: number;
  /** Ends the work. */
  readonly signal?: AbortSignal;
}

/** What has become of a picture. `refused`: the sentence for the caller about a source or a step that breaks a limit; nothing was made. */
export type PictureResult =
  | { readonly refused: string }
  | {
      readonly refused?: undefined;
      /** Size of the source in pixels, as its decoder reads it. */
      readonly width: number;
      readonly height: number;
      /** The wanted pictures in order, as far as they could be made. */
      readonly made: readonly MadePicture[];
      /** Why not all of them could be made. */
      readonly failure?: unknown;
    };

/** Makes pictures of pictures. A picture is turned upright first, as its EXIF orientation says. */
export interface Pictures {
  /** Media types that can be read and written. Empty: the host has no editor. */
  types(): Promise<readonly string[]>;
  /** Decodes a picture once and makes others of it. Rejects if the editor is broken or the work is aborted. */
  make(work: PictureWork): Promise<PictureResult>;
}

/** A user whom a notice concerns. */
export interface NoticeRecipient {
  /** Id of the user. */
  readonly id: number;
  /** Name that is shown. */
  readonly name: string;
  /** '' if the user has no address. */
  readonly email: string;
}

/**
 * Something that happened to a translation job. `assigned`: a translator got the job. `due`: its deadline is tomorrow, today or over.
 * `ready`: its translation has arrived, and waits to be reviewed or applied. `failed`: it could not be sent, fetched or applied.
 */
export interface TranslationNotice {
  /** What happened. */
  readonly kind: 'assigned' | 'due' | 'ready' | 'failed';
  /** The job when the notice was made. `title`: of the post. `deadline`: `YYYY-MM-DD`, or ''. */
  readonly job: {
    readonly id: number;
    readonly post: number;
    readonly title: string;
    readonly source: string;
    readonly target: string;
    readonly status: number;
    readonly deadline: string;
    readonly automatic: boolean;
    readonly translator: number;
  };
  /** `assigned`: the translator. `due`: the translator and the user who ordered the job. `ready`, `failed`: the user who ordered it. */
  readonly to: readonly NoticeRecipient[];
  /** Present for `failed`: what the log of the job says. */
  readonly reason?: { readonly code: string; readonly message: string };
}

/**
 * Delivers one notice. It is called after the change is stored, outside of the request. Whatever it throws, and that it took too long, goes to
 * the log; the notice is not repeated. `signal`: aborted after 5 seconds, when it is no longer waited for.
 */
export type Notify = (notice: TranslationNotice, signal: AbortSignal) => void | Promise<void>;

/** A receiver of events that the operator of the site has chosen, and no caller. */
export interface Webhook {
  /** http or https address. */
  readonly url: string;
  /** Key of the signatures: `whsec_` and base64. */
  readonly secret: string;
  /** Address of the site, with which links in events begin. */
  readonly siteUrl: string;
  /** Sends requests, also to private addresses. */
  readonly send: Outbound;
}

/** Files that the owner provides for import. */
export interface Imports {
  /** Lines of the file with this name (letters, digits, `.`, `_`, `-`), without line ends; null if it does not exist. */
  lines(name: string): Promise<AsyncIterable<string> | null>;
}
