import type { AgentDetail } from '@agent-marketplace/contract'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { cheapestService } from './offer.ts'

/** To the order form, with the service whose price stands beside the button. */
export function HireLink({ agent, className }: { agent: AgentDetail; className?: string }) {
  const service = cheapestService(agent.services)
  return (
    <ButtonLink
      to="/agents/$wallet/hire"
      params={{ wallet: agent.walletAddress }}
      search={service ? { service: service.id } : {}}
      look="primary"
      {...(className && { className })}
    >
      <span className="truncate">Hire {agent.name}</span>
    </ButtonLink>
  )
}
