import { openAsBlob } from 'node:fs'
import { canonicalCid } from './cid.ts'
import {
  assertContent,
  assertSize,
  checkedStream,
  corrupted,
  defaultMaxBytes,
  describeContent,
} from './content.ts'
import { createKuboClient, unavailable } from './kubo-client.ts'
import type { StoragePort } from './port.ts'
import { openSpool } from './spool.ts'

export interface KuboOptions {
  /** Of the RPC interface, for example http://127.0.0.1:5001. */
  url: string
  /** Sent as the Authorization header, if the node asks for one. */
  authorization?: string | undefined
  /** Where files wait until they have come in whole. */
  spoolFolder: string
  timeoutMs?: number
  maxBytes?: number
}

/** Spelled out, because the defaults of a node are settings of its owner; see `describeContent` for what they mean. */
const layout = {
  'cid-version': '1',
  'raw-leaves': 'true',
  chunker: 'size-262144',
  'max-file-links': '174',
  hash: 'sha2-256',
}

/** Files on an IPFS node, pinned there. The node returns what it holds itself: `offline` keeps it from searching the world. */
export async function openKuboStorage({
  maxBytes = defaultMaxBytes,
  spoolFolder,
  ...options
}: KuboOptions): Promise<StoragePort> {
  const kubo = createKuboClient(options)
  const spool = await openSpool(spoolFolder, maxBytes)

  const isPinned = async (cid: string): Promise<boolean> => {
    const response = await kubo.ask('pin/ls', { arg: cid, type: 'recursive', offline: 'true' })
    if (response.ok) return true
    if (response.message.includes('not pinned')) return false
    throw unavailable(`pin/ls: ${response.status}`)
  }

  async function add(cid: string, file: Blob): Promise<void> {
    const response = await kubo.ask('add', { ...layout, pin: 'true', progress: 'false' }, file)
    if (!response.ok) throw unavailable(`add: ${response.status}`)
    const added = response.lines.map(hashOf).findLast((hash) => hash !== undefined)
    if (added !== cid) throw unavailable('add: the node gave the file another CID')
  }

  return {
    async put(bytes, announce) {
      assertSize(bytes, maxBytes)
      const stored = await describeContent(bytes)
      await announce?.(stored.cid)
      await add(stored.cid, new Blob([Buffer.from(bytes)]))
      return stored
    },

    putStream: (source, announce) =>
      spool.take(source, announce, async ({ path, ...stored }) => {
        await add(stored.cid, await openAsBlob(path))
        return stored
      }),

    async get(text) {
      const cid = canonicalCid(text)
      if (cid === undefined || !(await isPinned(cid))) return undefined
      const response = await kubo.read('cat', { arg: cid, offline: 'true' }, maxBytes)
      if (response === 'too large') throw corrupted()
      await assertContent(cid, response)
      return { bytes: response }
    },

    async read(text, file) {
      const cid = canonicalCid(text)
      if (cid === undefined || !(await isPinned(cid))) return undefined
      const { part } = file
      const range = part && { offset: String(part.start), length: String(part.end - part.start + 1) }
      return checkedStream(cid, kubo.stream('cat', { arg: cid, offline: 'true', ...range }), file)
    },

    async has(text) {
      const cid = canonicalCid(text)
      return cid !== undefined && (await isPinned(cid))
    },

    /** Unpinned; the node frees the space when it cleans up. */
    async remove(text) {
      const cid = canonicalCid(text)
      if (cid === undefined || !(await isPinned(cid))) return
      const response = await kubo.ask('pin/rm', { arg: cid })
      if (!response.ok) throw unavailable(`pin/rm: ${response.status}`)
    },
  }
}

function hashOf(line: unknown): string | undefined {
  if (typeof line !== 'object' || line === null || !('Hash' in line)) return undefined
  return typeof line.Hash === 'string' ? line.Hash : undefined
}
