import * as dagPb from '@ipld/dag-pb'
import { UnixFS } from 'ipfs-unixfs'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'

export interface FolderEntry {
  name: string
  cid: string
  /** Of the file with the nodes that link its blocks. */
  dagBytes: number | bigint
}

/** The CID that `ipfs add --cid-version 1 -r` gives a folder of these files. Their order does not matter. */
export async function computeFolderCid(entries: readonly FolderEntry[]): Promise<string> {
  const links = entries.map(({ name, cid, dagBytes }) => ({
    Name: name,
    Hash: CID.parse(cid),
    Tsize: Number(dagBytes),
  }))
  const data = new UnixFS({ type: 'directory' }).marshal()
  const block = dagPb.encode(dagPb.prepare({ Data: data, Links: links }))
  return CID.createV1(dagPb.code, await sha256.digest(block)).toString()
}
