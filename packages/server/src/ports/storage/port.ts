/**
 * Files by content: deliveries and attachments. A CID names exactly these bytes, no matter who stores them. The media type is
 * not kept here but in the record that names the CID, since two records may name the same bytes and call them differently.
 */
export interface StoragePort {
  /** Keeps the bytes for good. The same bytes always give the same CID. PAYLOAD_TOO_LARGE above the size limit. */
  put(bytes: Uint8Array): Promise<StoredContent>
  /**
   * The bytes of this CID, checked against it; undefined when they are not here, or when the text is no CID. Bytes that
   * are not those of the CID are an INTERNAL_ERROR and are never handed out.
   */
  get(cid: string): Promise<{ bytes: Uint8Array } | undefined>
  has(cid: string): Promise<boolean>
}

export interface StoredContent {
  /** Version 1, base32. */
  cid: string
  sizeBytes: number
}
