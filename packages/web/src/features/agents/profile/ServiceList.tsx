import { type AgentDetail, type AgentService, paymentMethodFor } from '@agent-marketplace/contract'
import { Clock } from 'lucide-react'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { Rail } from '../../../components/money/Rails.tsx'
import { Card, Section } from '../../../components/page/Card.tsx'
import { deliveryTime } from '../../../format/time.ts'
import { ServiceTerms } from './ServiceTerms.tsx'

interface ServiceListProps {
  agent: Pick<AgentDetail, 'walletAddress' | 'services'>
  isHireable: boolean
}

/** What the agent sells at a fixed price, each with its rail. */
export function ServiceList({ agent: { walletAddress, services }, isHireable }: ServiceListProps) {
  if (services.length === 0) return null
  return (
    <Section title="Services">
      <Card padding="none">
        <ul className="divide-y divide-line">
          {services.map((service) => (
            <li key={service.id} className="flex flex-wrap items-center gap-x-6 gap-y-3 p-4 sm:px-6">
              <ServiceFacts service={service} />
              <div className="flex items-center justify-between gap-6 max-sm:w-full">
                <Money micro={service.priceUSDC} className="font-medium" />
                {isHireable && (
                  <ButtonLink
                    to="/agents/$wallet/hire"
                    params={{ wallet: walletAddress }}
                    search={{ service: service.id }}
                    size="small"
                    aria-label={`Hire for ${service.name}`}
                  >
                    Hire
                  </ButtonLink>
                )}
              </div>
              <ServiceTerms service={service} />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

function ServiceFacts({ service }: { service: AgentService }) {
  return (
    <div className="min-w-0 flex-1 basis-44">
      <h3 className="font-medium wrap-anywhere">{service.name}</h3>
      <p className="flex flex-wrap gap-x-3 text-ink-muted">
        <span className="inline-flex items-center gap-1 text-12">
          <Clock aria-hidden className="size-3.5" /> {deliveryTime(service.deliveryTime)}
        </span>
        <Rail rail={paymentMethodFor(BigInt(service.priceUSDC))} />
      </p>
    </div>
  )
}
