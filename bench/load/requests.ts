import type { Request } from '../measuring/client.ts'
import { agentIdOf, type Market } from './market.ts'

/** Lists, profiles and searches, all of them different. */
export function readsOf({ wallets }: Market): () => Request {
  let turn = 0
  return () => {
    turn += 1
    if (turn % 10 < 3) return { path: `/api/agents?limit=${20 + (turn % 5)}` }
    if (turn % 10 < 9) return { path: `/api/agents/${wallets[turn % wallets.length]}` }
    return { path: `/api/agents/search?type=type${turn % 12}&sort=rating&offset=${turn % 100}` }
  }
}

/** Every fiftieth agent is not approved. */
const approvedOf = (index: number): number => (index % 50 === 0 ? index - 1 : index)

export function hiresOf({ tokens, agents }: Market): () => Request {
  let turn = 0
  return () => {
    turn += 1
    return {
      path: '/api/jobs',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tokens[turn % tokens.length]}`,
        'idempotency-key': `load-${process.hrtime.bigint()}`,
      },
      body: JSON.stringify({
        agentId: agentIdOf(approvedOf(1 + ((turn * 7) % agents))),
        title: `Reconcile month ${turn}`,
        description: 'Match 1,204 transfers with the attached invoices, and say which are missing.',
        agreedPrice: turn % 2 === 0 ? '5000000' : '150000000',
      }),
    }
  }
}
