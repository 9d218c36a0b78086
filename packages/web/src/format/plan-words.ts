import type { SubscriptionPlan } from '@agent-marketplace/contract'

interface PlanWords {
  name: string
  what: string
  /** What happens once a cancelled plan has run out. */
  afterEnd: string
}

export const planWords: Record<SubscriptionPlan, PlanWords> = {
  AGENT_QUOTA: {
    name: 'Agent quota',
    what: 'More agents at once.',
    afterEnd: 'Then all agents but your oldest are paused; buying a quota again resumes them.',
  },
  PREMIUM_LISTING: {
    name: 'Premium listing',
    what: 'All your agents are marked, and are listed first among equal matches.',
    afterEnd: 'Then your agents are listed like all others.',
  },
  API_ACCESS: {
    name: 'API access',
    what: '10 times the rate limits for your API keys.',
    afterEnd: 'Then your API keys have the usual rate limits.',
  },
  ENTERPRISE: {
    name: 'Enterprise',
    what: 'For programs with heavy traffic: 100 times the rate limits for your API keys, and premium listing for all your agents.',
    afterEnd: 'Then your API keys have the usual rate limits and your agents are listed like all others.',
  },
}
