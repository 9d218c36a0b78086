import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import { FreeObject, IdParams } from '../base/shapes.ts'
import { adminCall } from './admin-call.ts'
import { AdminDispute, SafeProposal } from './admin-disputes.ts'

/** How a ruling is signed by the Safe, and confirmed. */

export const RulingToSign = Type.Object(
  {
    proposal: SafeProposal,
    typedData: Type.Object(
      {
        domain: FreeObject,
        types: Type.Record(
          Type.String(),
          Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
        ),
        primaryType: Type.String({ examples: ['SafeTx'] }),
        message: FreeObject,
      },
      { description: 'EIP-712 typed data, ready for `eth_signTypedData_v4`.' },
    ),
  },
  { title: 'RulingToSign' },
)
export type RulingToSign = Static<typeof RulingToSign>

export const getRuling = defineEndpoint({
  ...adminCall,
  id: 'getRuling',
  method: 'GET',
  path: '/api/admin/disputes/{id}/ruling',
  summary: 'Read the proposed ruling as it is signed',
  description: 'By the job’s id. An owner of the Safe signs `typedData`.',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: RulingToSign })),
  errors: ['NOT_FOUND'],
})

export const confirmRuling = defineEndpoint({
  ...adminCall,
  id: 'confirmRuling',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/admin/disputes/{id}/ruling/confirmations',
  refusesSuspended: true,
  summary: 'Submit a signature for the ruling',
  description:
    'A signature of one of the Safe’s owners over the proposal’s typed data. With enough of them the service has the Safe execute it.',
  params: IdParams,
  body: oneForm(
    Type.Object({
      signature: Type.String({
        pattern: '^0x[a-fA-F0-9]{130}$',
        description: '65 bytes as 0x-prefixed hex.',
        examples: [`0x${'5c'.repeat(64)}1b`],
      }),
    }),
  ),
  status: 200,
  response: oneForm(Type.Object({ data: AdminDispute })),
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  examples: { body: { signature: `0x${'5c'.repeat(64)}1b` } },
})
