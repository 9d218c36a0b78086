import type { IntentKind } from '../../../money/intents/intents.ts'
import type { OnChainDeps } from './deps.ts'
import { feedbackKind } from './feedback.ts'
import { responseKind } from './response.ts'
import { revocationKind } from './revocation.ts'

/** All that is written to the reputation registry: feedback, replies to it, and what no longer counts. */
export const feedbackKinds = (deps: OnChainDeps): readonly IntentKind[] => [
  feedbackKind(deps),
  responseKind(deps),
  revocationKind(deps),
]
