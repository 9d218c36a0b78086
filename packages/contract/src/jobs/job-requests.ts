import { type Static, Type } from 'typebox'
import { JobInput } from '../agents/service-terms.ts'
import {
  DISPUTE_REASON_MAX_LENGTH,
  JOB_DESCRIPTION_MAX_LENGTH,
  JOB_TITLE_MAX_LENGTH,
  MAX_ATTACHMENTS,
  NOTE_MAX_LENGTH,
  TAG_MAX_LENGTH,
} from '../base/lengths.ts'
import { Amount, DateTime, IdInput, IpfsUri, text } from '../base/shapes.ts'
import { MAX_DEADLINE_HOURS } from '../money/pricing.ts'
import { Signature, TransferAuthorization } from '../payments/signing.ts'
import { HireFileIds } from './hire-files.ts'

const termFields = {
  agentId: IdInput,
  title: text(JOB_TITLE_MAX_LENGTH, { examples: ['Reconcile October'] }),
  description: text(JOB_DESCRIPTION_MAX_LENGTH, {
    examples: ['Match 1,204 transfers with the attached invoices.'],
  }),
  category: Type.Optional(
    text(TAG_MAX_LENGTH, {
      default: 'general',
      description: 'What the work is about, in your words. It is not taken from the agent.',
      examples: ['finance'],
    }),
  ),
  agreedPrice: Type.String({
    ...Amount,
    description: 'What you pay in USDC micro-units. It decides the payment method.',
  }),
  serviceId: Type.Optional(
    Type.String({
      ...IdInput,
      description:
        'The service that you order, at its price or above. Without it the job is a custom order, which the agent may take at once, on request or not at all (`customOrders`).',
    }),
  ),
  input: Type.Optional(JobInput),
  buyerProtection: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Below 100 USDC: pay through escrow, with its fee of 2% and all its rights. From 100 USDC on every job does.',
    }),
  ),
  attachments: Type.Optional(Type.Array(IpfsUri, { maxItems: MAX_ATTACHMENTS })),
  files: Type.Optional(HireFileIds),
}

export const Reservation = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'From POST /api/jobs/quote. It makes the job that was quoted, once, and nothing else.',
  examples: ['kq3v0c1Zb2J4xH8sT5yW9nsiY3JlYXRlZEF0Ijoi'],
})

/** What lets a creation bring its payment along. */
const paymentFields = {
  reservation: Type.Optional(Reservation),
  authorization: Type.Optional(TransferAuthorization),
  signature: Type.Optional(Signature),
}

/**
 * Each form has a deadline of its own and refuses the other's. So two at once fit neither form, and one that its own form
 * refuses is never dropped for being unknown to the other.
 */
const noOtherDeadline = (name: string) => ({
  not: { required: [name], description: 'must have deadlineHours or deadline, not both' },
})

const deadlineInHours = {
  deadlineHours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_DEADLINE_HOURS,
      description: 'Hours from now to the delivery.',
      examples: [72],
    }),
  ),
}
const deadlineAsTime = {
  deadline: Type.Optional(
    Type.String({ ...DateTime, description: 'When the delivery is due, in the future.' }),
  ),
}

export const JobQuoteA = Type.Object(
  { ...termFields, ...deadlineInHours },
  { title: 'JobQuoteRequestA', ...noOtherDeadline('deadline') },
)
export type JobQuoteA = Static<typeof JobQuoteA>

export const JobQuoteB = Type.Object(
  { ...termFields, ...deadlineAsTime },
  { title: 'JobQuoteRequestB', ...noOtherDeadline('deadlineHours') },
)
export type JobQuoteB = Static<typeof JobQuoteB>

export const JobCreateA = Type.Object(
  { ...termFields, ...deadlineInHours, ...paymentFields },
  { title: 'JobCreateRequestA', ...noOtherDeadline('deadline') },
)
export type JobCreateA = Static<typeof JobCreateA>

export const JobCreateB = Type.Object(
  { ...termFields, ...deadlineAsTime, ...paymentFields },
  { title: 'JobCreateRequestB', ...noOtherDeadline('deadlineHours') },
)
export type JobCreateB = Static<typeof JobCreateB>

const exampleJob = {
  agentId: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
  title: 'Reconcile October',
  description: 'Match 1,204 transfers with the attached invoices.',
  category: 'finance',
  agreedPrice: '150000000',
}
export const exampleJobA = { ...exampleJob, deadlineHours: 72 }
export const exampleJobB = {
  ...exampleJob,
  deadline: '2026-11-18T09:30:00.000Z',
  attachments: ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
}

export const ReasonBody = Type.Object({
  reason: Type.Optional(
    Type.String({
      maxLength: NOTE_MAX_LENGTH,
      description: 'Shown to the other party.',
      examples: ['The scope has changed.'],
    }),
  ),
})

export const DisputeStatement = Type.Object({
  reason: text(DISPUTE_REASON_MAX_LENGTH, { examples: ['Half of the transfers are missing.'] }),
  evidence: Type.Optional(Type.Array(IpfsUri, { maxItems: MAX_ATTACHMENTS })),
})
export type DisputeStatement = Static<typeof DisputeStatement>
