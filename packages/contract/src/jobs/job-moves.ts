import { type Static, Type } from 'typebox'
import { Address, nullableDateTime, oneOf } from '../base/shapes.ts'
import { jobParties } from './timeline.ts'

export const jobActions = [
  'ACCEPT',
  'PAY',
  'DELIVER',
  'REVIEW',
  'REFUND',
  'ANSWER_SETTLEMENT',
  'RULE',
] as const
export type JobAction = (typeof jobActions)[number]

/** What a party can do with a job. Each is one call. */
export const partyActions = [
  'ACCEPT',
  'PAY',
  'CANCEL',
  'DECLINE',
  'DELIVER',
  'REQUEST_CHANGES',
  'APPROVE',
  'REFUND',
  'DISPUTE',
  'ADD_EVIDENCE',
  'OFFER_SETTLEMENT',
  'ACCEPT_SETTLEMENT',
  'REVIEW',
  'REPLY_TO_REVIEW',
  'REPORT_PROGRESS',
  'MESSAGE',
] as const
export type PartyAction = (typeof partyActions)[number]

export const AllowedActions = Type.Array(oneOf(partyActions), {
  description: 'What you can do with this job now; not in lists.',
  examples: [['APPROVE', 'REQUEST_CHANGES', 'DISPUTE']],
})

export const NextAction = Type.Object(
  {
    actor: oneOf(jobParties, { description: 'Whose turn it is.', examples: ['CLIENT'] }),
    action: oneOf(jobActions, { examples: ['REVIEW'] }),
    dueAt: nullableDateTime('Until when, if there is a limit.'),
    message: Type.String({
      description: 'The same in words.',
      examples: ['Approve the delivery or ask for changes.'],
    }),
  },
  { title: 'NextAction' },
)
export type NextAction = Static<typeof NextAction>

export const pendingActions = [
  'DELIVER',
  'REQUEST_CHANGES',
  'APPROVE',
  'REFUND',
  'CANCEL',
  'DISPUTE',
  'OFFER_SETTLEMENT',
  'ACCEPT_SETTLEMENT',
  'REFUND_UNDECIDED',
] as const

export const PendingAction = Type.Object(
  {
    action: oneOf(pendingActions, { examples: ['DISPUTE'] }),
    message: Type.String({ examples: ['The chain has not confirmed this yet.'] }),
    escrow: Type.String({ ...Address, description: 'The escrow contract.' }),
    calldata: Type.Object(
      {
        to: Address,
        data: Type.String({ pattern: '^0x[0-9a-f]*$', examples: ['0x7cd3d5b4'] }),
        value: Type.String({ pattern: '^[0-9]+$', examples: ['0'] }),
        chainId: Type.Integer({ examples: [8453] }),
      },
      { description: 'The same call, ready for the own wallet of the party that decided it.' },
    ),
    dueBy: nullableDateTime('Until when the chain must have it; null without such a limit.'),
  },
  {
    title: 'PendingAction',
    description:
      'A decision that is pending on chain. A dispute, and the cancellation after a missed deadline, leave `status` as it is until ' +
      'the chain confirms them.',
  },
)
export type PendingAction = Static<typeof PendingAction>
