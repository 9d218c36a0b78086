import { CID } from 'multiformats/cid'

const sha2_256 = 0x12
const rawCodec = 0x55
const dagPbCodec = 0x70

/** Longer than any CID in use; stops the decoder from working on a book. */
const maxCidLength = 128

/**
 * The one spelling that storage files content under: version 1, base32. Undefined for everything that can never name
 * a file here, so that no other text ever becomes part of a path or a request.
 */
export function canonicalCid(text: string): string | undefined {
  const cid = decodeCid(text)
  if (cid === undefined) return undefined
  const { code, multihash } = cid
  const isFile = code === rawCodec || code === dagPbCodec
  if (!isFile || multihash.code !== sha2_256 || multihash.digest.length !== 32) return undefined
  return cid.toV1().toString()
}

function decodeCid(text: string): CID | undefined {
  if (text.length > maxCidLength) return undefined
  try {
    return CID.parse(text)
  } catch {
    return undefined
  }
}
