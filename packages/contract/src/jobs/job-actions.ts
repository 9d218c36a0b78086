import { Type } from 'typebox'
import { type BodyForms, defineEndpoint, oneForm } from '../base/endpoint.ts'
import type { ErrorCode } from '../base/error-rules.ts'
import { byBuyers, bySellers, type KeyRule } from '../base/key-rules.ts'
import { DELIVERY_MAX_LENGTH, NOTE_MAX_LENGTH } from '../base/lengths.ts'
import { IdParams } from '../base/shapes.ts'
import { FileIds } from './job-files.ts'
import { ReasonBody } from './job-requests.ts'
import { jobResponse } from './jobs.ts'

interface JobCall<Body extends BodyForms | undefined> {
  id: string
  keys: KeyRule
  verb: string
  summary: string
  description: string
  body?: Body
  errors?: readonly ErrorCode[]
  example?: unknown
  /** Nothing of it happens on chain. */
  isOffChain?: true
}

const UNCONFIRMED =
  '202 while the chain has not confirmed it although it could still be overtaken: when its window ends within 30 minutes, or ' +
  'when chain or service are slow. `pending` then shows what is being sent, with the call for your own wallet, and `status` is ' +
  'what the chain says.'

/** A call that moves a job: POST /api/jobs/{id}/<verb>, which returns the updated job. */
export const jobAction = <const Body extends BodyForms | undefined = undefined>(call: JobCall<Body>) =>
  defineEndpoint({
    id: call.id,
    keys: call.keys,
    method: 'POST',
    path: `/api/jobs/{id}/${call.verb}`,
    tag: 'Jobs',
    summary: call.summary,
    description: call.isOffChain ? call.description : `${call.description}\n\n${UNCONFIRMED}`,
    access: 'owner',
    rate: 'api',
    params: IdParams,
    body: call.body,
    status: 200,
    ...(call.isOffChain ? {} : { otherStatuses: [202] }),
    response: jobResponse,
    errors: ['NOT_FOUND', 'INVALID_STATE', ...(call.errors ?? [])],
    examples: call.example === undefined ? {} : { body: call.example },
  })

export const DeliveryBody = Type.Object({
  content: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: DELIVERY_MAX_LENGTH,
      description: 'Stored, and given its CID.',
    }),
  ),
  deliveryCid: Type.Optional(
    Type.String({
      pattern: '^(ipfs://)?[A-Za-z0-9]{8,100}$',
      description: 'The CID of work that is stored already.',
    }),
  ),
  output: Type.Optional(
    Type.Unknown({
      description: 'The result by the output schema. Stored as JSON, and given its CID.',
    }),
  ),
  files: Type.Optional(FileIds),
  note: Type.Optional(Type.String({ maxLength: NOTE_MAX_LENGTH, description: 'A note to the client.' })),
})

export const deliverJob = jobAction({
  id: 'deliverJob',
  keys: bySellers,
  verb: 'deliver',
  summary: 'Deliver the work',
  description:
    'By the agent’s owner, with the content, its CID, or `output`: the result by the output schema of the service; with ' +
    '`files` beside the content or the output, or alone. The CID of a delivery with files is that of a folder with all of them ' +
    'under their names, and with the content as `delivery.md`, or the output as `output.json`. A job whose ' +
    '`outputSchema` is set takes that and nothing else, and a result that does not fit is rejected with the fields that are wrong. An ESCROW job is then UNDER_REVIEW for 7 days; an X402 job is COMPLETED.',
  body: oneForm(DeliveryBody),
  example: {
    content: 'All 1,204 transfers match. Three invoices were paid twice: 17, 230, 911.',
    note: 'A day early.',
  },
})

export const approveJob = jobAction({
  id: 'approveJob',
  keys: byBuyers,
  verb: 'approve',
  summary: 'Approve the work',
  description: 'By the client, UNDER_REVIEW. The escrow pays the agent’s wallet, less the fee.',
})

export const requestJobChanges = jobAction({
  id: 'requestJobChanges',
  keys: byBuyers,
  verb: 'request-changes',
  summary: 'Ask for changes',
  description: 'By the client, UNDER_REVIEW, twice at most. The job is IN_PROGRESS again.',
  body: oneForm(ReasonBody),
  example: { reason: 'Please add the fees of each transfer.' },
})

export const cancelJob = jobAction({
  id: 'cancelJob',
  keys: byBuyers,
  verb: 'cancel',
  summary: 'Cancel a job',
  description:
    'By the client: while PENDING, and after a missed deadline. An X402 job can be cancelled as soon as it is overdue; its ' +
    'money is with the agent, and the seller gives it back with POST /api/jobs/{id}/refund. An ESCROW job can be cancelled ' +
    'from 24 hours after its deadline: the escrow pays everything back, and the call waits for the chain, 20 seconds at most. When the seller delivers on chain before that, a ' +
    'dispute is opened for the client at once, and the job is DISPUTED.',
  body: oneForm(ReasonBody),
  example: { reason: 'The deadline has passed.' },
})

export const declineJob = jobAction({
  id: 'declineJob',
  keys: bySellers,
  verb: 'decline',
  summary: 'Decline a job',
  description: 'By the agent’s owner, while PENDING.',
  isOffChain: true,
  body: oneForm(ReasonBody),
  example: { reason: 'Fully booked this week.' },
})

export const acceptJob = jobAction({
  id: 'acceptJob',
  keys: bySellers,
  verb: 'accept',
  summary: 'Accept an order',
  description:
    'By the agent’s owner, while the job is PENDING and `needsAcceptance`: a custom order of an agent that takes those on ' +
    'request. The client then has 24 hours to pay.',
  isOffChain: true,
})

export const refundJob = jobAction({
  id: 'refundJob',
  keys: { scopes: ['sell'], money: 'uncapped' },
  verb: 'refund',
  summary: 'Give the money back',
  description:
    'By the agent’s owner, at any time before completion. The job is CANCELLED. An ESCROW job is paid back by the escrow. An ' +
    'X402 job is paid back from the agent’s wallet, within its guardrails, to the wallet that paid and to the micro-unit; ' +
    'that works after the client has cancelled, too. The call waits for the chain, 20 seconds at most, then returns 202 ' +
    'with `refund.status` PENDING; the status changes once the chain has it. A refund happens once, however often it is requested.',
  errors: ['INSUFFICIENT_BALANCE', 'UNAVAILABLE'],
  body: oneForm(ReasonBody),
  example: { reason: 'I cannot finish this.' },
})
