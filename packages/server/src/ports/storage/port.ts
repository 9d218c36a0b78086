/**
 * Files by content: deliveries and attachments. A CID names exactly these bytes, no matter who stores them. The media type is
 * not kept here but in the record that names the CID, since two records may name the same bytes and call them differently.
 */
export interface StoragePort {
  /**
   * Keeps the bytes for good. The same bytes always give the same CID. PAYLOAD_TOO_LARGE above the size limit. `announce` is
   * called with the CID before anything is kept under it.
   */
  put(bytes: Uint8Array, announce?: Announce): Promise<KeptContent>
  /**
   * The same for bytes that are still coming, of which it never holds more than a few pieces in memory. Where the source
   * fails, or brings too much, nothing of it stays.
   */
  putStream(source: ByteStream, announce?: Announce): Promise<KeptContent>
  /**
   * The bytes of this CID, checked against it; undefined when they are not here, or when the text is no CID. Bytes that
   * are not those of the CID are an INTERNAL_ERROR and are never handed out.
   */
  get(cid: string): Promise<{ bytes: Uint8Array } | undefined>
  /**
   * The same, piece by piece. The whole file is checked against its CID as it passes: where it is not what it should be,
   * the stream fails before its last piece. A part is as long as requested or fails; its content is not checked.
   */
  read(cid: string, file: FileToRead): Promise<ByteStream | undefined>
  has(cid: string): Promise<boolean>
  /** Lets go of the bytes, if they are here. */
  remove(cid: string): Promise<void>
}

export type ByteStream = AsyncIterable<Uint8Array>

export type Announce = (cid: string) => Promise<void>

export interface StoredContent {
  /** Version 1, base32. */
  cid: string
  sizeBytes: number
}

export interface KeptContent extends StoredContent {
  /** Of the file with the nodes that link its blocks, as folders count it. */
  dagBytes: number
}

export interface FileToRead {
  /** Of the whole file. */
  sizeBytes: number
  part?: Part | undefined
}

/** Both ends included. */
export interface Part {
  start: number
  end: number
}
