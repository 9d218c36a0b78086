import { AppError, invalidField, type KycStatus } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { pagePolicy } from '../../platform/http/browsers/security-headers.ts'
import type { KycWebhook } from '../../ports/kyc/port.ts'
import { renderKycPage } from './kyc-page.ts'

const MAX_REASON_LENGTH = 300

export interface SandboxKycPageDeps {
  findApplicant: (sessionId: string) => Promise<SandboxApplicant | undefined>
  /** The provider's signed message about what was decided. */
  messageOf: (decision: {
    sessionId: string
    ownerId: string
    answer: 'GREEN' | 'RED'
    reason: string | undefined
  }) => KycWebhook
  /** Handles the message as any from a provider. */
  receiveWebhook: (webhook: KycWebhook) => Promise<void>
}

interface SandboxApplicant {
  ownerId: string
  entityName: string
  kycStatus: KycStatus
}

interface PageRoute {
  Params: { sessionId: string }
  Body: unknown
}

/**
 * The page behind `kycUrl` in the sandbox. As with a real provider's link, anyone who has the address may use it. Forms
 * arrive URL-encoded, which only these two routes read.
 */
export function registerSandboxKycPage(app: FastifyInstance, deps: SandboxKycPageDeps): void {
  const path = '/sandbox/kyc/:sessionId'

  async function applicantOf(sessionId: string): Promise<SandboxApplicant> {
    const applicant = await deps.findApplicant(sessionId)
    if (!applicant) throw new AppError('NOT_FOUND', { message: 'There is no such verification.' })
    return applicant
  }

  app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )

    pages.get<PageRoute>(path, async ({ params }, reply) => {
      const page = renderKycPage(await applicantOf(params.sessionId))
      return reply
        .header('Content-Security-Policy', pagePolicy())
        .header('Cache-Control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(page)
    })

    pages.post<PageRoute>(path, async ({ params: { sessionId }, body }, reply) => {
      const { ownerId } = await applicantOf(sessionId)
      await deps.receiveWebhook(deps.messageOf({ sessionId, ownerId, ...readDecision(body) }))
      return reply.redirect(`/sandbox/kyc/${sessionId}`, 303)
    })
  })
}

function readDecision(body: unknown): { answer: 'GREEN' | 'RED'; reason: string | undefined } {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams()
  const answer = form.get('answer')
  if (answer !== 'GREEN' && answer !== 'RED') throw invalidField('/answer', 'must be GREEN or RED')
  return { answer, reason: form.get('reason')?.slice(0, MAX_REASON_LENGTH) || undefined }
}
