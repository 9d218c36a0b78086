import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)

export interface Document {
  path: string
  type: string
  /** Called once, at the first request. */
  make: () => string | Promise<string>
  headers?: Readonly<Record<string, string>>
}

interface Prepared {
  etag: string
  plain: Buffer
  gzipped: Buffer
}

/** Serves a text that never changes while the process runs: made, hashed and compressed once, when first asked for. */
export function registerDocument(app: FastifyInstance, { path, type, make, headers = {} }: Document): void {
  let prepared: Promise<Prepared> | undefined
  app.get(path, async (request, reply) => {
    prepared ??= prepare(make)
    const { etag, plain, gzipped } = await prepared
    reply.type(type).headers({ ...headers, 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return plain
    reply.header('Content-Encoding', 'gzip')
    return gzipped
  })
}

async function prepare(make: Document['make']): Promise<Prepared> {
  const plain = Buffer.from(await make())
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, gzipped: await compress(plain) }
}
