import { type Static, Type } from 'typebox'
import { MAX_DEADLINE_HOURS } from './pricing.ts'
import { Amount, DateTime, IdInput, IpfsUri, text } from './shapes.ts'
import { SignedAuthorization } from './signing.ts'

export const JOB_TITLE_MAX_LENGTH = 80
export const MAX_ATTACHMENTS = 20

const sharedFields = {
  agentId: IdInput,
  title: text(JOB_TITLE_MAX_LENGTH, { examples: ['Reconcile October'] }),
  description: text(20_000, { examples: ['Match 1,204 transfers with the attached invoices.'] }),
  category: Type.Optional(text(60, { default: 'general', examples: ['finance'] })),
  agreedPrice: Type.String({
    ...Amount,
    description: 'What you pay in USDC micro-units. It decides the payment method.',
  }),
  attachments: Type.Optional(Type.Array(IpfsUri, { maxItems: MAX_ATTACHMENTS })),
  payment: Type.Optional(SignedAuthorization),
}

/**
 * Each form has a deadline of its own and refuses the other's. So two at once fit neither form, and one that its own form
 * refuses is never dropped for being unknown to the other.
 */
const noOtherDeadline = (name: string) => ({ not: { required: [name] } })

export const JobCreateA = Type.Object(
  {
    ...sharedFields,
    deadlineHours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DEADLINE_HOURS,
        description: 'Hours from now to the delivery.',
        examples: [72],
      }),
    ),
  },
  { title: 'JobCreateRequestA', ...noOtherDeadline('deadline') },
)
export type JobCreateA = Static<typeof JobCreateA>

export const JobCreateB = Type.Object(
  {
    ...sharedFields,
    deadline: Type.Optional(
      Type.String({ ...DateTime, description: 'When the delivery is due, in the future.' }),
    ),
  },
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
      maxLength: 2000,
      description: 'Shown to the other party.',
      examples: ['The scope has changed.'],
    }),
  ),
})

export const DisputeStatement = Type.Object({
  reason: text(5000, { examples: ['Half of the transfers are missing.'] }),
  evidence: Type.Optional(Type.Array(IpfsUri, { maxItems: MAX_ATTACHMENTS })),
})
export type DisputeStatement = Static<typeof DisputeStatement>
