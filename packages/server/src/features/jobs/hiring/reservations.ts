import { createHash } from 'node:crypto'
import { AppError, invalidField, QUOTE_LIFETIME_SECONDS } from '@agent-marketplace/contract'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Agreement } from '../lifecycle/agreement.ts'
import type { JobRow } from '../lifecycle/job.ts'
import type { JobBody } from '../lifecycle/read-new-job.ts'
import type { JobCursors } from './cursors.ts'

/** The id that a quote set aside, and the moment of the quote, from which its deadline counts. */
export interface Reserved {
  id: string
  quotedAt: Date
  /** What the service promised then; quotes from before it was kept have none. */
  promise?: string | undefined
}

/** What the seller may change between a quote and its hire, in short: how long it takes, and what goes in and comes out. */
export function promiseOf(job: Pick<JobRow, 'deliveryHours'>, agreement: Agreement | null): string {
  const { inputSchema = null, outputSchema = null } = agreement ?? {}
  return createHash('sha256')
    .update(JSON.stringify([job.deliveryHours, inputSchema, outputSchema]))
    .digest('base64url')
}

/**
 * Reservations are signed and not stored: a quote that nobody takes leaves nothing behind. They are bound to the owner who
 * asked and to every word of the request, so that one makes the job that was quoted and no other.
 */
export function createReservations(cursors: JobCursors) {
  return {
    write: (
      { id, quotedAt, promise }: Reserved & { promise: string },
      clientId: string,
      body: JobBody,
    ): string => cursors.write({ id, createdAt: quotedAt.toISOString(), promise }, quotedTo(clientId, body)),

    read(reservation: string, clientId: string, body: JobBody): Reserved {
      try {
        const { id, createdAt, promise } = cursors.read(reservation, quotedTo(clientId, body))
        return { id, quotedAt: new Date(createdAt), promise }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        throw invalidField('reservation', 'is not one that was handed out to you for exactly this request')
      }
    },
  }
}

function quotedTo(clientId: string, { form, value }: JobBody): { quote: unknown[] } {
  const { agentId, title, description, category, agreedPrice, attachments } = value
  const deadline = form === 'a' ? value.deadlineHours : value.deadline
  const terms = [clientId, agentId, title, description, category, agreedPrice, attachments, deadline]
  const input = value.input === undefined ? [] : [value.input]
  const files = value.files === undefined ? [] : [{ files: value.files }]
  return { quote: [...terms, value.serviceId, value.buyerProtection ?? false, ...input, ...files] }
}

/** A reservation ends with its deadline: the escrow takes no deposit after it. */
export function expiryOf({ quotedAt }: Reserved, deadlineAt: Date | null): Date {
  const latest = addSeconds(quotedAt, QUOTE_LIFETIME_SECONDS)
  return deadlineAt !== null && deadlineAt < latest ? deadlineAt : latest
}
