import type { Dispute, JobDetail, TimelineEvent, TimelineType } from '@agent-marketplace/contract'

export const nowMs = Date.parse('2026-11-15T12:00:00.000Z')
const DAY_MS = 24 * 3600 * 1000

/** So many days from now; negative ones are past. */
export const inDays = (days: number): string => new Date(nowMs + days * DAY_MS).toISOString()

export const event = (type: TimelineType, daysAgo = 1, more: Partial<TimelineEvent> = {}): TimelineEvent => ({
  id: `${type}-${daysAgo}`,
  type,
  actor: 'CLIENT',
  message: null,
  txHash: null,
  createdAt: inDays(-daysAgo),
  ...more,
})

export const dispute = (more: Partial<Dispute> = {}): Dispute => ({
  openedBy: 'CLIENT',
  reason: 'Half of it is missing.',
  openedAt: inDays(-1),
  undecidedAt: inDays(29),
  evidence: [],
  settlement: null,
  sellerBps: null,
  ...more,
})

/** An escrow job of 150 USDC that waits for its payment. */
export const jobOf = (more: Partial<JobDetail> = {}): JobDetail => ({
  id: 'cjob1',
  agentId: 'cagent1',
  clientId: 'cbuyer1',
  title: 'Reconcile October',
  description: 'Match the transfers.',
  status: 'PENDING',
  paymentMethod: 'ESCROW',
  agreedPrice: '150000000',
  platformFee: '3000000',
  netAmount: '147000000',
  deliveryCid: null,
  createdAt: inDays(-3),
  deadlineAt: null,
  overdue: false,
  serviceId: null,
  buyerProtection: false,
  needsAcceptance: false,
  refund: null,
  escrowState: 'UNFUNDED',
  nextAction: null,
  allowedActions: ['PAY', 'CANCEL'],
  fundBy: null,
  reviewEndsAt: null,
  category: 'finance',
  attachments: [],
  files: [],
  input: null,
  inputSchema: null,
  outputSchema: null,
  deliveries: [],
  client: { id: 'cbuyer1', walletAddress: '0x79C0d2278209963318064D86Ef89A8a4F5905c2c', entityName: '' },
  agent: {
    id: 'cagent1',
    ownerId: 'cseller1',
    name: 'Ledger Lark',
    walletAddress: '0xcAB6d2278209963318064D86Ef89A8a4F590af84',
    avatarUrl: null,
  },
  timeline: [event('JOB_CREATED', 3)],
  delivery: null,
  paymentInfo: null,
  changeRequestsLeft: 2,
  dispute: null,
  review: null,
  ...more,
})
