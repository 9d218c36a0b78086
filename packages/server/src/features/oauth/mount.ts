import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { RESOURCE_METADATA_PATH } from '../../platform/http/challenge.ts'
import { paths, resourceMetadata, SERVER_METADATA_PATH, serverMetadata } from './metadata.ts'

export interface MountDeps {
  publicUrl: URL
  /** Made by the first call that needs it, so that no start waits for it. */
  loadProvider: () => Promise<Provider>
  /** Throws where this address registers too many clients. */
  checkRegistration: (clientAddress: string) => Promise<void>
  /** Remembers where a request comes from, for what the provider asks about it. */
  noteAddress: (request: FastifyRequest['raw'], clientAddress: string) => void
}

const METADATA_SECONDS = 3600
const openToPages = { config: { openToPages: true } }

/** The documents that clients begin with, and the endpoints that these name. */
export function registerOAuth(http: FastifyInstance, deps: MountDeps): void {
  const { publicUrl } = deps
  registerMetadata(http, SERVER_METADATA_PATH, serverMetadata(publicUrl))
  for (const { path, document } of resourceMetadata(publicUrl))
    registerMetadata(http, `${RESOURCE_METADATA_PATH}${path}`, document)

  http.register(async (scope) => {
    // The provider reads bodies itself, and limits them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.get(paths.authorize, serve)
    scope.get(`${paths.authorize}/:id`, serve)
    // A client may be a page. It shows a code or a token of its own, and no cookie counts.
    scope.post(paths.token, openToPages, serve)
    scope.post(paths.revoke, openToPages, serve)
    // A page has a URL to describe it. Registration stays closed, or a site could have its visitors fill it.
    scope.post(paths.register, async (request, reply) => {
      await deps.checkRegistration(request.facts.clientAddress)
      return serve(request, reply)
    })
  })

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const provider = await deps.loadProvider()
    const { raw } = request
    deps.noteAddress(raw, request.facts.clientAddress)
    asPublic(raw.headers, publicUrl)
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.hijack()
    await provider.callback()(raw, reply.raw)
  }
}

function registerMetadata(http: FastifyInstance, path: string, document: object): void {
  // Pages of other sites may read how to get a token; what it opens is another matter.
  http.get(path, openToPages, (_request, reply) =>
    reply
      .header('Cache-Control', `public, max-age=${METADATA_SECONDS}`)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(document)),
  )
}

/** The provider builds URLs from these. Whatever proxies said, users reach the service at one address. */
function asPublic(headers: FastifyRequest['raw']['headers'], publicUrl: URL): void {
  headers.host = publicUrl.host
  headers['x-forwarded-proto'] = publicUrl.protocol.slice(0, -1)
  delete headers['x-forwarded-host']
}
