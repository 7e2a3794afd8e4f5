/** What the client says of a file. None of it can be trusted: `filename` must never be used as a path. */
export interface FileFacts {
  /** Name of the part. */
  readonly field: string;
  /** Name that the client gives the file. It is not a path. */
  readonly filename: string;
  /** Media type in lower case, without parameters. */
  readonly type: string;
}

/** A stored file, as it can be read. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number;
  /** When it was stored. Epoch milliseconds. */
  readonly storedAt: number;
  /** Strong validator (RFC 9110 8.8.3) with its quotes, which no other content has had: `"5f…"`. */
  readonly etag: string;
  /** The bytes from one position up to another, which is not included. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** Where the host keeps the files of multipart bodies. */
export interface Uploads {
  /**
   * Stores the bytes while they arrive and returns the id of the stored file. It must read the stream to its end. If the
   * stream fails, it must reject and keep nothing.
   */
  save(stream: AsyncIterable<Uint8Array>, facts: FileFacts): Promise<string>;
  /** Opens a stored file to read it. null: there is none of this id. Absent: files cannot be read back. */
  open?(id: string): Promise<StoredFile | null>;
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
