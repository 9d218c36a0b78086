import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

export interface Document {
  path: string
  type: string
  /** Called once, at the first request. */
  make: () => string | Buffer | Promise<string | Buffer>
  /** Browsers ask again each time, unless the name changes with the content. */
  isImmutable?: boolean
  /** For what is known to be missing under this path. */
  status?: number
  headers?: Readonly<Record<string, string>>
  /** Pages of other sites may read it. */
  openToPages?: boolean
}

interface Prepared {
  etag: string
  plain: Buffer
  /** Undefined where compressing gains nothing. */
  gzipped: Buffer | undefined
}

/** Serves bytes that never change while the process runs: made, hashed and compressed once, when first asked for. */
export function registerDocument(
  app: FastifyInstance,
  { path, openToPages = false, ...document }: Document,
): void {
  app.get(path, { config: { openToPages } }, createDocumentHandler(document))
}

interface Documents {
  /** With one name in it, as `/docs/reference/:name`. */
  path: `${string}:name${string}`
  openToPages?: boolean
  find: (name: string) => DocumentHandler | undefined
  /** For a name that none has. */
  sayNotFound?: (request: FastifyRequest, reply: FastifyReply) => unknown
}

/** Many documents by one route: a route for each of hundreds took a tenth of a start. */
export function registerDocuments(app: FastifyInstance, documents: Documents): void {
  const { path, openToPages = false, find } = documents
  const { sayNotFound = (_request: FastifyRequest, reply: FastifyReply) => reply.callNotFound() } = documents
  app.get<{ Params: { name: string } }>(path, { config: { openToPages } }, (request, reply) => {
    const serve = find(request.params.name)
    return serve ? serve(request, reply) : sayNotFound(request, reply)
  })
}

export type DocumentHandler = (request: FastifyRequest, reply: FastifyReply) => unknown

export function createDocumentHandler({
  type,
  make,
  isImmutable = false,
  status = 200,
  headers = {},
}: Omit<Document, 'path' | 'openToPages'>) {
  let prepared: Promise<Prepared> | undefined
  const cacheControl = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Buffer | FastifyReply> => {
    prepared ??= prepare(make, /^(text|application)\/|svg/.test(type))
    const { etag, plain, gzipped } = await prepared
    reply
      .type(type)
      .headers({ 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding', ...headers })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    reply.code(status)
    if (!gzipped || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return plain
    reply.header('Content-Encoding', 'gzip')
    return gzipped
  }
}

async function prepare(make: Document['make'], isCompressible: boolean): Promise<Prepared> {
  const plain = Buffer.from(await make())
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, gzipped: isCompressible ? await compress(plain) : undefined }
}
