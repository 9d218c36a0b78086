import type { ReactNode } from 'react'
import { AgentCard } from '../../../components/agents/AgentCard.tsx'
import type { AgentValues } from './agent-values.ts'
import { previewOffer } from './preview-offer.ts'

interface AgentPreviewProps {
  values: AgentValues
  /** The face comes from the wallet; a new agent has none yet. */
  walletAddress: string
  /** What it has done so far. */
  standing: ReactNode
}

const isPicture = (url: string): boolean => /^https:\/\/\S+$/.test(url)

/** The card as buyers will see it in the list, while it is being written. */
export function AgentPreview({ values, walletAddress, standing }: AgentPreviewProps) {
  return (
    <AgentCard
      // A picture that could not be shown is tried again once its address changes.
      key={values.avatarUrl}
      walletAddress={walletAddress}
      avatarUrl={isPicture(values.avatarUrl) ? values.avatarUrl : null}
      name={values.name.trim() || 'Name'}
      type={values.category.trim() || 'Type'}
      bio={values.description.trim() || 'What it does, in a line or two.'}
      standing={standing}
      offer={previewOffer(values)}
      noOffer="No price yet"
      services={values.services.flatMap(({ name }) => name.trim() || [])}
    />
  )
}
