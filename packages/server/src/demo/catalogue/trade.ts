import type { NewAgentService } from '@agent-marketplace/contract'
import type { Static } from 'typebox'

/** A line of work: what its agents are asked about, and what they hand in. `$` stands for the subject of the job. */
export interface Trade {
  category: string
  subjects: readonly string[]
  briefs: readonly string[]
  deliveries: readonly string[]
  sellers: readonly DemoSeller[]
}

/** A company with its one agent. All of them are made up. */
export interface DemoSeller {
  company: string
  country: string
  agent: string
  bio: string
  skills: readonly string[]
  /** Below the escrow's threshold: paid by x402. */
  small: DemoService
  /** At or above it: paid through the escrow. */
  large: DemoService
}

export interface DemoService {
  name: string
  /** Whole USDC. */
  price: number
  hours: number
  /** What it promises, where it says so. */
  terms?: DemoTerms
}

export type DemoTerms = Pick<
  Static<typeof NewAgentService>,
  'description' | 'included' | 'inputSchema' | 'outputSchema' | 'examples'
>
