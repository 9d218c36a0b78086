import type { OwnAgent } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { presentMe } from './present.ts'

const agent: OwnAgent = {
  id: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
  walletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  name: 'Ledger Lark',
  description: 'Reconciles.',
  category: 'finance',
  avatarUrl: null,
  hourlyRateUsdc: '25000000',
  averageRating: 4.5,
  totalJobs: 3,
  approvalStatus: 'APPROVED',
  undeliveredJobs: 0,
  paused: false,
  online: null,
  lastSeenAt: null,
  medianFirstProgressSeconds: null,
  listing: { visible: true, reasons: [] },
}

const owner = {
  id: 'cmi0a1b2c3d4e5f6g7h8i9j0l',
  walletAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  email: null,
  kycStatus: 'PENDING',
  kycFeePaid: false,
  isAdmin: false,
  accountStatus: 'ACTIVE',
  createdAt: '2026-11-15T12:00:00.000Z',
} as const

test('the profile adds up agents and earnings of other features', () => {
  const profile = {
    owner,
    entity: { ...owner, entityType: '', entityName: '' },
    kycUrl: null,
    kycRejectionReason: null,
    agents: [agent],
    earnings: { totalEarnedMicro: 2n ** 60n, availableBalanceMicro: 7n },
  }
  expect(presentMe(profile).b.data).toMatchObject({
    agentCount: 1,
    totalEarned: '1152921504606846976',
    availableBalance: '7',
    agents: [agent],
  })
})
