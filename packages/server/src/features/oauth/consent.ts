import { AppError, type ConsentRequest, type GrantScope } from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InteractionResults, default as Provider } from 'oidc-provider'
import type { WantedBudget } from '../../house/budgets.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { type Grants, noRequest } from './grants.ts'
import { showCookie } from './request-cookie.ts'
import { DEFAULT_GRANT_DAYS, hostOf, isLocalRedirect, knownScopes, nameOf } from './rules.ts'

const DAY_SECONDS = 24 * 3600
const DENIED = { error: 'access_denied', error_description: 'The owner of the account denied the request.' }

/** A call of the page, whose cookie says which request for consent its browser has. */
export interface Asking {
  id: string
  request: FastifyRequest
  reply: FastifyReply
  principal: Principal
}

export interface Decision extends WantedBudget {
  decision: 'ALLOW' | 'DENY'
  scopes?: readonly GrantScope[] | undefined
  expiresInDays?: number | undefined
  replaces?: boolean | undefined
}

interface ConsentDeps {
  publicUrl: URL
  loadProvider: () => Promise<Provider>
  grants: Pick<Grants, 'create' | 'takeRequest' | 'countOf'>
  /** Real time. */
  clock: Clock
}

/** Lets the person in whose browser a client began decide what it may do. A link that somebody else sent them decides nothing. */
export function createConsent({ publicUrl, loadProvider, grants, clock }: ConsentDeps) {
  async function find({ id, request, reply, principal }: Asking) {
    if (principal.scopes !== undefined)
      throw new AppError('FORBIDDEN', { message: 'Sign in with your wallet to decide this.' })
    const provider = await loadProvider()
    showCookie(request.raw, id, publicUrl)
    const found = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined)
    const client = found?.uid === id ? await findClient(provider, String(found.params.client_id)) : undefined
    if (!found || !client || found.result) throw noRequest()
    return { provider, found, client }
  }

  function describe({
    found,
    client,
  }: Awaited<ReturnType<typeof find>>): Omit<ConsentRequest, 'connections'> {
    const { params } = found
    const redirectUri = String(params.redirect_uri)
    const redirectHost = hostOf(redirectUri)
    const documentHost = URL.parse(client.clientId)?.host
    const clientHost = documentHost ?? redirectHost
    return {
      clientId: client.clientId,
      clientName: nameOf(client.clientName, clientHost),
      clientHost,
      isVerifiedHost: documentHost !== undefined,
      redirectHost,
      isLocalRedirect: isLocalRedirect(redirectUri),
      resource: String([params.resource].flat()[0]),
      scopes: knownScopes(params.scope),
      expiresAt: new Date(found.exp * 1000).toISOString(),
    }
  }

  return {
    async read(asking: Asking): Promise<ConsentRequest> {
      const described = describe(await find(asking))
      const { ownerId } = asking.principal
      return { ...described, connections: await grants.countOf({ ...described, ownerId }) }
    },

    /** Returns where the browser goes next. */
    async decide(asking: Asking, decision: Decision): Promise<string> {
      const asked = await find(asking)
      const { provider } = asked
      const conclude = async (result: InteractionResults): Promise<string> => {
        const { request, reply } = asking
        const next = await provider.interactionResult(request.raw, reply.raw, result, {
          mergeWithLastSubmission: false,
        })
        const { pathname, search } = new URL(next)
        return `${pathname}${search}`
      }
      if (decision.decision === 'DENY') {
        await grants.takeRequest(asking.id)
        return conclude(DENIED)
      }
      const { clientId, clientName, clientHost, resource, scopes: wanted } = describe(asked)
      const scopes = wanted.filter((scope) => decision.scopes?.includes(scope) ?? true)
      if (scopes.length === 0)
        throw new AppError('VALIDATION_ERROR', {
          message: 'None of the scopes was requested.',
          details: { issues: [{ path: '/scopes', message: 'was not requested' }] },
        })
      const { expiresInDays = DEFAULT_GRANT_DAYS, budget, allowedAgents, allowedCategories } = decision
      const { replaces = true } = decision
      const { ownerId } = asking.principal
      const grantId = await grants.create(asking.id, {
        ownerId,
        clientId,
        clientName,
        clientHost,
        resource,
        scopes,
        replaces,
        budget,
        allowedAgents,
        allowedCategories,
        expiresAt: addSeconds(clock.now(), expiresInDays * DAY_SECONDS),
      })
      return conclude({ login: { accountId: ownerId, remember: false }, consent: { grantId } })
    },
  }
}

/** Its document may be out of reach at this moment, where another process has read it before. */
async function findClient(provider: Provider, clientId: string) {
  return provider.Client.find(clientId).catch((cause: unknown) => {
    throw new AppError('UNAVAILABLE', {
      message: 'What the app says of itself cannot be read at the moment. Try again.',
      cause,
    })
  })
}

export type Consent = ReturnType<typeof createConsent>
