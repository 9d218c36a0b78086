import type { AgentOf } from '../../house/agents.ts'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { PaymentOrder, PaymentOutcome } from '../../house/payments.ts'
import { type DiscoveryDeps, discoveryRoutes, type PayablePages } from './discovery.ts'
import { facilitatorRoutes } from './routes.ts'
import { createFacilitator, type FacilitatorDeps, facilitatorPurpose } from './service.ts'

interface Deps extends Ground {
  agents: { agentOf: AgentOf } & Pick<DiscoveryDeps, 'pages'> & Pick<PayablePages, 'listPayable'>
  paid: Omit<FacilitatorDeps['payments'], 'settle'> & {
    payments: { settle: (order: PaymentOrder) => Promise<PaymentOutcome> }
  }
}

export function defineFeature(deps: Deps): Feature<undefined> {
  const { config, payments: port, agents, paid } = deps
  const { agentOf, listPayable, pages } = agents
  const payments = { ...paid, settle: paid.payments.settle }
  const catalogue = {
    listPayable,
    pages,
    offerFor: paid.offerFor,
    network: port.network,
    publicUrl: config.publicUrl,
  }
  const facilitator = createFacilitator({ ...deps, port, payments, agentOf, catalogue })
  return {
    api: undefined,
    routes: [...facilitatorRoutes(facilitator), ...discoveryRoutes(catalogue)],
    paymentPurposes: [facilitatorPurpose(agentOf)],
  }
}
