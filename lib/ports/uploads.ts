/** What the client says of a file. None of it can be trusted: `filename` must never be used as a path. */
export interface FileFacts {
  /** Name of the part. */
  readonly field: string;
  /** Name that the client gives the file. It is not a path. */
  readonly filename: string;
  /** Media type in lower case, without parameters. */
  readonly type: string;
}

/** Where the host keeps the files of multipart bodies. */
export interface Uploads {
  /**
   * Stores the bytes while they arrive and returns the id of the stored file. It must read the stream to its end. If the
   * stream fails, it must reject and keep nothing.
   */
  save(stream: AsyncIterable<Uint8Array>, facts: FileFacts): Promise<string>;
  /** Removes a stored file. Called when the request that sent it failed. */
  remove(id: string): Promise<void>;
}

/** A file that has arrived completely and is stored. */
export interface UploadedFile extends FileFacts {
  /** What `save` returned. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

/** Stored files by the name of their part, in the order sent. */
export type UploadedFiles = Readonly<Record<string, readonly UploadedFile[]>>;
