import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { BusyMarket } from './market/busy-market.ts'

const developerPaths = [
  '/developers',
  '/developers/keys',
  '/developers/webhooks',
  '/developers/events',
  '/developers/requests',
]

/** Somebody who looks at the pages: with which wallet, and at which of them. */
export interface PageVisitor {
  who: string
  account(market: BusyMarket, admin: PrivateKeyAccount): PrivateKeyAccount | undefined
  paths(market: BusyMarket): string[]
}

const agentPath = ({ agent }: BusyMarket) => `/agents/${agent.walletAddress}`

const comparePath = ({ agent, rival }: BusyMarket) =>
  `/compare?agents=${agent.walletAddress},${rival.walletAddress}`

/** Every page, as it looks for each who has a reason to open it. */
export const pageVisitors: readonly PageVisitor[] = [
  {
    who: 'a stranger',
    account: () => undefined,
    paths: (market) => [
      '/',
      '/?q=nothing+like+it',
      '/pricing',
      '/developers',
      agentPath(market),
      `/sellers/${market.seller.wallet.address}`,
      `${agentPath(market)}/hire`,
      '/jobs',
      comparePath(market),
      '/compare',
      '/saved',
    ],
  },
  {
    who: 'a buyer',
    account: ({ buyer }) => buyer.wallet,
    paths: (market) => [
      agentPath(market),
      `${agentPath(market)}/hire`,
      `${agentPath(market)}/hire?again=${market.jobs.completed}`,
      '/saved',
      '/jobs',
      ...Object.values(market.jobs).map((id) => `/jobs/${id}`),
      `/jobs/${market.jobs.completed}/receipt`,
      '/spending',
      '/notifications',
      `/tx/${market.txHash}`,
      '/sell',
      '/sell/verify',
    ],
  },
  {
    who: 'a newcomer',
    account: () => privateKeyToAccount(generatePrivateKey()),
    paths: (market) => [
      '/jobs',
      '/jobs?role=seller',
      '/jobs?status=COMPLETED',
      '/spending',
      '/saved',
      '/notifications',
      `${agentPath(market)}/hire`,
      '/sell',
      '/sell/agents/new',
      '/sell/earnings',
      '/sell/earnings?tab=withdrawals',
      '/sell/plans',
      ...developerPaths,
      '/admin',
    ],
  },
  {
    who: 'a seller',
    account: ({ seller }) => seller.wallet,
    paths: ({ agent, jobs }) => [
      '/sell',
      '/sell/verify',
      '/sell/agents/new',
      `/sell/agents/${agent.walletAddress}/edit`,
      '/sell/earnings',
      '/sell/earnings?tab=withdrawals',
      '/sell/plans',
      ...developerPaths,
      '/jobs?role=seller',
      `/jobs/${jobs.running}`,
      `/jobs/${jobs.running}/receipt`,
      `/jobs/${jobs.disputed}`,
    ],
  },
  {
    who: 'an administrator',
    account: (_market, admin) => admin,
    paths: ({ jobs }) => [
      '/admin',
      '/admin/agents',
      '/admin/disputes',
      `/admin/disputes/${jobs.disputed}`,
      '/admin/aml',
      '/admin/owners',
      '/admin/withdrawals',
      '/admin/audit',
      '/admin/health',
      `/jobs/${jobs.disputed}`,
    ],
  },
]
