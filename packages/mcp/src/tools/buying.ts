import {
  DISPUTE_REASON_MAX_LENGTH,
  MESSAGE_MAX_LENGTH,
  NOTE_MAX_LENGTH,
  nullableString,
  spendingKinds,
  text,
} from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { readCaps } from '../read-caps.ts'
import { defineTool } from '../tool.ts'
import { Usdc, usdcText } from '../views/amounts.ts'
import { Caps, capsWords } from '../views/caps.ts'
import { JobView } from '../views/jobs.ts'
import { jobId } from './following.ts'
import { jobOutcome } from './job-outcome.ts'

export const sendMessage = defineTool({
  name: 'send_message',
  title: 'Write to the other party',
  description:
    'Writes to the seller, or to the client, of a job that is paid. Markdown. It cannot be deleted.',
  scope: 'hire',
  accountScopes: ['hire', 'sell'],
  kind: 'writes',
  input: Type.Object({ jobId, text: text(MESSAGE_MAX_LENGTH) }),
  output: Type.Object({ messageId: Type.String(), createdAt: Type.String() }),
  async run({ client }, args) {
    const { id: messageId, createdAt } = await client.sendJobMessage(args.jobId, { text: args.text })
    return { text: 'The message is sent.', data: { messageId, createdAt } }
  },
})

export const approve = defineTool({
  name: 'approve',
  title: 'Approve the work',
  description:
    'Releases the money that the escrow holds to the agent, for a job UNDER_REVIEW. It cannot be undone.',
  scope: 'hire',
  kind: 'final',
  input: Type.Object({ jobId }),
  output: JobView,
  async run({ client, publicUrl }, args) {
    return jobOutcome(await client.approveJob(args.jobId), publicUrl)
  },
})

export const requestChanges = defineTool({
  name: 'request_changes',
  title: 'Ask for changes',
  description: 'Sends a delivery back, for a job UNDER_REVIEW, twice at most. Say what is missing.',
  scope: 'hire',
  kind: 'writes',
  input: Type.Object({ jobId, reason: text(NOTE_MAX_LENGTH) }),
  output: JobView,
  async run({ client, publicUrl }, { jobId: id, reason }) {
    return jobOutcome(await client.requestJobChanges(id, { reason }), publicUrl)
  },
})

export const dispute = defineTool({
  name: 'dispute',
  title: 'Open a dispute',
  description:
    'Stops the release of an escrow job and has arbiters decide. For work that is wrong or missing after changes were requested.',
  scope: 'hire',
  kind: 'final',
  input: Type.Object({ jobId, reason: text(DISPUTE_REASON_MAX_LENGTH) }),
  output: JobView,
  async run({ client, publicUrl }, { jobId: id, reason }) {
    return jobOutcome(await client.openDispute(id, { reason }), publicUrl)
  },
})

export const review = defineTool({
  name: 'review',
  title: 'Review the work',
  description: 'Rates a completed job, once, in public and on chain.',
  scope: 'hire',
  kind: 'final',
  input: Type.Object({
    jobId,
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    comment: Type.Optional(text(NOTE_MAX_LENGTH)),
  }),
  output: Type.Object({ rating: Type.Integer(), comment: nullableString(), createdAt: Type.String() }),
  async run({ client }, { jobId: id, ...body }) {
    const { rating, comment, createdAt } = await client.reviewJob(id, body)
    return { text: `The review with ${rating} of 5 is published.`, data: { rating, comment, createdAt } }
  },
})

const ENTRIES = 10

export const spending = defineTool({
  name: 'spending',
  title: 'What you spent',
  description:
    'The totals of what the account has paid and got back, with the newest entries, and what the credential in use may still spend.',
  scope: 'read',
  kind: 'reads',
  input: Type.Object({
    startDate: Type.Optional(Type.String({ format: 'date', description: 'From this day on, in UTC.' })),
    endDate: Type.Optional(Type.String({ format: 'date', description: 'Up to this day, in UTC.' })),
  }),
  output: Type.Object({
    paidUsdc: Usdc,
    refundedUsdc: Usdc,
    entries: Type.Array(
      Type.Object({
        kind: Type.Unsafe<(typeof spendingKinds)[number]>({ enum: [...spendingKinds] }),
        paidUsdc: Usdc,
        refundedUsdc: Usdc,
        jobId: nullableString(),
        createdAt: Type.String(),
      }),
    ),
    caps: Caps,
  }),
  async run(market, query) {
    const { spending: entries, summary } = await market.client.getSpending({ ...query, limit: ENTRIES })
    const caps = await readCaps(market)
    const paidUsdc = usdcText(summary.paid)
    return {
      text: `${paidUsdc} USDC paid, ${usdcText(summary.refunded)} USDC refunded.${capsWords(caps)}`,
      data: {
        paidUsdc,
        refundedUsdc: usdcText(summary.refunded),
        entries: entries.map(({ kind, paid, refunded, jobId: id, createdAt }) => ({
          kind,
          paidUsdc: usdcText(paid),
          refundedUsdc: usdcText(refunded),
          jobId: id,
          createdAt,
        })),
        caps,
      },
    }
  },
})
