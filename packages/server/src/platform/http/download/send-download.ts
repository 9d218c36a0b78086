import { Readable } from 'node:stream'
import { AppError } from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { dispositionOf } from './disposition.ts'
import { type Part, partOf } from './range.ts'

/** Whatever the bytes are, a browser saves them: it neither shows nor runs them, nor guesses what they might be. */
export const downloadHeaders = {
  'content-type': 'application/octet-stream',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

export interface Download {
  name: string
  /** Names exactly these bytes. */
  tag: string
  sizeBytes: number
  open(part: Part | undefined): Promise<AsyncIterable<Uint8Array>>
}

/** Sends a file, or the one part of it that is requested, piece by piece. The caller's right to it is checked each time. */
export async function sendDownload(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { name, tag, sizeBytes, open }: Download,
): Promise<void> {
  const etag = `"${tag}"`
  const isStale = headers['if-range'] !== undefined && headers['if-range'] !== etag
  // A part is for GET alone.
  const part = isStale || method === 'HEAD' ? undefined : partOf(headers.range, sizeBytes)
  if (isKnown(headers['if-none-match'], etag)) {
    reply.headers(downloadHeaders).header('etag', etag).code(304).send()
    return
  }
  if (part === 'none') {
    reply.header('content-range', `bytes */${sizeBytes}`)
    throw new AppError('RANGE_NOT_SATISFIABLE', { details: { sizeBytes } })
  }
  // A HEAD gets the headers alone, so nothing is read for it.
  const bytes = method === 'HEAD' ? [] : await open(part)
  reply
    .headers(downloadHeaders)
    .header('cache-control', 'private, no-cache')
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('content-disposition', dispositionOf(name))
    .header('content-length', part ? part.end - part.start + 1 : sizeBytes)
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${sizeBytes}`)
  reply.send(Readable.from(bytes, { objectMode: false }))
}

/** The caller's copy is the file itself, however its cache has marked it. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
