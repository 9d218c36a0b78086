import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { KycApplicant, KycCheck, KycIdentity, KycLink, KycPort } from './port.ts'
import { createSumsubClient, type SumsubCredentials, unavailable } from './sumsub-client.ts'
import { readMessage, referenceOf } from './webhook.ts'

const URL_LIFETIME_SECONDS = 24 * 3600
/** A link is handed out again only while an applicant still has this long to use it. */
const URL_MARGIN_SECONDS = 3600

const Applicant = Compile(Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }))
const Name = Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()]))
const Identity = Compile(
  Type.Object({
    id: Type.String(),
    type: Type.Optional(Type.String()),
    info: Type.Optional(
      Type.Object({
        firstName: Name,
        middleName: Name,
        lastName: Name,
        companyInfo: Type.Optional(Type.Object({ companyName: Name })),
      }),
    ),
  }),
)
const Link = Compile(Type.Object({ url: Type.String({ pattern: '^https?://', maxLength: 2000 }) }))

export interface SumsubKycOptions extends SumsubCredentials {
  webhookSecret: string
  levelName: string
  clock: Clock
  timeoutMs?: number
}

/** Sumsub: applicants carry the owner's id as `externalUserId`, so that one check of an owner is one applicant whatever is retried. */
export function createSumsubKyc(options: SumsubKycOptions): KycPort {
  const { levelName, clock, webhookSecret } = options
  const client = createSumsubClient(options)

  async function findOrCreateApplicant(applicant: KycApplicant): Promise<string> {
    const created = await client.send(
      'POST',
      `/resources/applicants?levelName=${encodeURIComponent(levelName)}`,
      {
        externalUserId: referenceOf(applicant),
        ...applicantFields(applicant),
      },
    )
    if (created.ok) return idOf(created.body)
    if (created.status !== 409) throw unavailable(`applicant creation returned ${created.status}`)
    const externalId = encodeURIComponent(referenceOf(applicant))
    const found = await client.send('GET', `/resources/applicants/-;externalUserId=${externalId}/one`)
    if (!found.ok) throw unavailable(`applicant lookup returned ${found.status}`)
    return idOf(found.body)
  }

  async function createLink(check: KycCheck): Promise<KycLink> {
    const urlExpiresAt = addSeconds(clock.now(), URL_LIFETIME_SECONDS - URL_MARGIN_SECONDS)
    const link = await client.send('POST', '/resources/sdkIntegrations/levels/-/websdkLink', {
      levelName,
      userId: referenceOf(check),
      ttlInSecs: URL_LIFETIME_SECONDS,
    })
    if (!link.ok) throw unavailable(`link creation returned ${link.status}`)
    if (!Link.Check(link.body)) throw unavailable('the link has an unknown shape')
    return { url: link.body.url, urlExpiresAt }
  }

  return {
    async startSession(applicant) {
      const sessionId = await findOrCreateApplicant(applicant)
      return { sessionId, ...(await createLink(applicant)) }
    },

    renewLink: createLink,

    async identityOf(sessionId, declared) {
      const found = await client.send('GET', `/resources/applicants/${encodeURIComponent(sessionId)}/one`)
      if (!found.ok) throw unavailable(`applicant lookup returned ${found.status}`)
      return identityIn(found.body, sessionId, declared)
    },

    readWebhook: (webhook) => readMessage(webhook, webhookSecret),
  }
}

function applicantFields(applicant: KycApplicant): object {
  const { entityName, email, phoneNumber } = applicant
  const contact = { email, ...(phoneNumber === undefined ? {} : { phone: phoneNumber }) }
  if (isIndividual(applicant)) return { type: 'individual', ...contact }
  return { type: 'company', ...contact, fixedInfo: { companyInfo: { companyName: entityName } } }
}

/** What the check found stands in `info`; `fixedInfo` repeats what was declared, which proves nothing. */
function identityIn(body: unknown, sessionId: string, declared: KycIdentity): KycIdentity {
  if (!Identity.Check(body) || body.id !== sessionId) throw unavailable('the applicant has an unknown shape')
  const { type, info } = body
  const isCompany = type === 'company'
  const names = isCompany
    ? [info?.companyInfo?.companyName]
    : [info?.firstName, info?.middleName, info?.lastName]
  const entityName = names.filter((name) => name).join(' ')
  if (entityName === '') throw unavailable('the verified applicant has no name')
  if (!isCompany) return { entityType: 'INDIVIDUAL', entityName }
  return { entityType: isIndividual(declared) ? 'COMPANY' : declared.entityType, entityName }
}

const isIndividual = ({ entityType }: KycIdentity): boolean => entityType.toUpperCase() === 'INDIVIDUAL'

function idOf(body: unknown): string {
  if (!Applicant.Check(body)) throw unavailable('the applicant has an unknown shape')
  return body.id
}
