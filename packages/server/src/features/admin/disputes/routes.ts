import {
  confirmRuling,
  getDispute,
  getRuling,
  listDisputes,
  proposeRuling,
} from '@agent-marketplace/contract'
import { respondInSteps } from '../../../house/steps.ts'
import { type Route, route } from '../../../platform/http/call.ts'
import type { Hex } from '../../../ports/chain/port.ts'
import { actorOf } from '../actor.ts'
import { presentDispute, presentRuling } from '../present.ts'
import type { AdminService } from '../service.ts'
import type { RuledDispute } from './disputes.ts'
import { type ProposalRow, rulingOf } from './ruling-store.ts'

export function disputeRoutes({ admin }: { admin: AdminService }): Route[] {
  const { disputes } = admin
  const planOf = (proposal: ProposalRow) => admin.planOf(rulingOf(proposal))
  const shown = (dispute: RuledDispute) => presentDispute(dispute, planOf)

  return [
    route(listDisputes, async ({ query }) => {
      const { status, limit = 50, offset = 0 } = query
      const found = await disputes.list({ status, limit, offset })
      return { data: { disputes: found.disputes.map(shown), total: found.total, limit, offset } }
    }),

    route(getDispute, async ({ params }) => ({ data: shown(await disputes.find(params.id)) })),

    route(proposeRuling, (call) => {
      const order = { actor: actorOf(call), jobId: call.params.id, sellerBps: call.body.sellerBps }
      return respondInSteps(call, disputes.propose(order), (dispute) => ({ data: shown(dispute) }))
    }),

    route(getRuling, async ({ params }) => {
      const proposal = await disputes.findToSign(params.id)
      return { data: presentRuling(proposal, planOf(proposal)) }
    }),

    route(confirmRuling, (call) => {
      const signature: Hex = `0x${call.body.signature.slice(2)}`
      const order = { actor: actorOf(call), jobId: call.params.id, signature }
      return respondInSteps(call, disputes.confirm(order), (dispute) => ({ data: shown(dispute) }))
    }),
  ]
}
