import type { AgentOf } from '../../house/agents.ts'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { PaymentOrder, PaymentOutcome } from '../../house/payments.ts'
import { createPaidResources, type PaidResourcesDeps } from './paid-resources.ts'
import { facilitatorRoutes } from './routes.ts'
import { createFacilitator, type FacilitatorDeps, facilitatorPurpose } from './service.ts'

interface Deps extends Ground {
  agents: { agentOf: AgentOf } & Pick<PaidResourcesDeps, 'listPaidServices'>
  paid: Omit<FacilitatorDeps['payments'], 'settle'> & {
    payments: { settle: (order: PaymentOrder) => Promise<PaymentOutcome> }
  }
}

export function defineFeature(deps: Deps): Feature<undefined> {
  const { db, config, payments: port, agents, paid } = deps
  const { agentOf, listPaidServices } = agents
  const { offerFor } = paid
  const payments = { ...paid, settle: paid.payments.settle }
  const facilitator = createFacilitator({ ...deps, port, payments, agentOf })
  const resources = { db, publicUrl: config.publicUrl, listPaidServices, offerFor }
  return {
    api: undefined,
    routes: facilitatorRoutes({ facilitator, listPaidResources: createPaidResources(resources) }),
    paymentPurposes: [facilitatorPurpose(agentOf)],
  }
}
