export const jobStatuses = [
  'PENDING',
  'IN_PROGRESS',
  'UNDER_REVIEW',
  'COMPLETED',
  'DISPUTED',
  'CANCELLED',
] as const
export type JobStatus = (typeof jobStatuses)[number]

const anyStatus = jobStatuses.join('|')
export const STATUSES_PATTERN = `^(?:${anyStatus})(?:,(?:${anyStatus}))*$`

/** Where the money of an ESCROW job is, as the chain says. It may trail `status` by the time a transaction takes. */
export const escrowStates = [
  'UNFUNDED',
  'FUNDED',
  'SUBMITTED',
  'DISPUTED',
  'RELEASED',
  'REFUNDED',
  'SETTLED',
  'RULED',
  'EXPIRED',
] as const
export type EscrowState = (typeof escrowStates)[number]
