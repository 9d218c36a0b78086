import { Type } from 'typebox'
import { oneForm } from '../base/endpoint.ts'
import { byBothSides } from '../base/key-rules.ts'
import { jobAction } from './job-actions.ts'
import { DisputeStatement } from './job-requests.ts'

const exampleStatement = {
  reason: 'Half of the transfers are missing.',
  evidence: ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
}

export const openDispute = jobAction({
  id: 'openDispute',
  keys: byBothSides,
  verb: 'dispute',
  summary: 'Open a dispute',
  description:
    'By either party of an ESCROW job, IN_PROGRESS or UNDER_REVIEW. It stops the auto-release. The multisig decides; without ' +
    'a decision within 30 days the client is refunded. The call waits for the chain, 20 seconds at most: 200 means that the ' +
    'dispute stands. Once the client has asked for one the service never releases the payment automatically.',
  body: oneForm(DisputeStatement),
  example: exampleStatement,
})

export const addDisputeEvidence = jobAction({
  id: 'addDisputeEvidence',
  keys: byBothSides,
  verb: 'dispute/evidence',
  summary: 'Add evidence to a dispute',
  description: 'By either party, while DISPUTED.',
  isOffChain: true,
  body: oneForm(DisputeStatement),
  example: exampleStatement,
})

export const proposeSettlement = jobAction({
  id: 'proposeSettlement',
  keys: { scopes: [], money: 'uncapped' },
  verb: 'dispute/settlement',
  summary: 'Offer a settlement',
  description: 'By either party, while DISPUTED. A new offer replaces the one before.',
  body: oneForm(
    Type.Object({
      sellerBps: Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: 'The seller’s share of the price in hundredths of a percent. The client gets the rest.',
        examples: [5000],
      }),
    }),
  ),
  example: { sellerBps: 5000 },
})

export const acceptSettlement = jobAction({
  id: 'acceptSettlement',
  keys: { scopes: [], money: 'uncapped' },
  verb: 'dispute/settlement/accept',
  summary: 'Accept the settlement',
  description:
    'By the party that did not make the offer. The escrow pays both shares; the job is COMPLETED, or CANCELLED when the seller’s share is 0.',
})
