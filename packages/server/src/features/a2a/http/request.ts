import { A2A_VERSION_HEADER, Extensions, HTTP_EXTENSION_HEADER } from '@a2a-js/sdk'
import { LEGACY_HTTP_EXTENSION_HEADER } from '@a2a-js/sdk/compat/v0_3'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, callerOf } from '../caller.ts'
import { LEGACY_VERSION } from '../cards.ts'
import { x402Extensions } from '../tasks/x402.ts'

/** Beyond the longest wait of a call. */
const SILENT_SECONDS = 180

/** The protocol version of the caller. Without the header it is the last version that had none. */
export function versionOf({ headers }: FastifyRequest): string {
  const given = headers[A2A_VERSION_HEADER.toLowerCase()]
  const version = typeof given === 'string' ? given.trim() : ''
  return version === '' ? LEGACY_VERSION : version
}

export const isVersionOne = (version: string): boolean => /^1(\.0(\.\d+)?)?$/.test(version)

/** The call ends with its connection, which may be silent for as long as a call waits. */
export function openCall(request: FastifyRequest, reply: FastifyReply): Caller {
  const gone = new AbortController()
  const { raw } = reply
  raw.once('close', () => gone.abort())
  raw.setTimeout(SILENT_SECONDS * 1000, () => raw.destroy())
  const { wallet } = request.params as { wallet?: string }
  const extensions = extensionsOf(request)
  const used = extensions.filter((uri) => x402Extensions.includes(uri))
  const name = LEGACY_VERSION === versionOf(request) ? LEGACY_HTTP_EXTENSION_HEADER : HTTP_EXTENSION_HEADER
  if (used.length > 0) reply.header(name, used.join(', '))
  reply.header('Cache-Control', 'no-store')
  return callerOf(request, { gone: gone.signal, agentWallet: wallet?.toLowerCase(), extensions })
}

/** Both headers that can request extensions. */
function extensionsOf({ headers }: FastifyRequest): string[] {
  const names = [HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER]
  return names.flatMap((name) => {
    const given = headers[name.toLowerCase()]
    return typeof given === 'string' ? Array.from(Extensions.parseServiceParameter(given)) : []
  })
}
