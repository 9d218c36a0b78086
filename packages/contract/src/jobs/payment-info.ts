import { type Static, Type } from 'typebox'
import { Address, oneOf, ReportedAmount } from '../base/shapes.ts'
import { escrowRail, paymentMethods, paymentWayOf } from '../money/rails.ts'
import { authorizationFields } from '../payments/signed-fields.ts'
import { exampleSignedAuthorization, TypedData } from '../payments/signing.ts'
import { PaymentRequirements } from '../payments/x402-facilitator.ts'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Of an ESCROW job: what only X402 jobs have is not there. */
const exampleInfo = {
  method: paymentWayOf(escrowRail.method),
  message: 'Sign `typedData` and send it to POST /api/jobs/{id}/pay.',
  chainId: 8453,
  token: usdc,
  amount: exampleSignedAuthorization.authorization.value,
  escrow: exampleSignedAuthorization.authorization.to,
  typedData: {
    domain: {
      name: 'USD Coin',
      version: '2',
      chainId: 8453,
      verifyingContract: usdc,
    },
    types: {
      ReceiveWithAuthorization: [...authorizationFields],
    },
    primaryType: 'ReceiveWithAuthorization',
    message: exampleSignedAuthorization.authorization,
  },
}

export const PaymentInfo = Type.Object(
  {
    method: oneOf(paymentMethods.map(paymentWayOf)),
    message: Type.String(),
    chainId: Type.Optional(Type.Integer()),
    token: Type.Optional(Type.String({ ...Address, description: 'The USDC contract.' })),
    amount: Type.Optional(ReportedAmount),
    payTo: Type.Optional(Type.String({ ...Address, description: 'X402 jobs: the agent’s wallet.' })),
    escrow: Type.Optional(Type.String({ ...Address, description: 'ESCROW jobs: the escrow contract.' })),
    typedData: Type.Optional(TypedData),
    requirements: Type.Optional(PaymentRequirements),
  },
  {
    title: 'PaymentInfo',
    description:
      'How to pay. `typedData` is what an escrow deposit signs; `requirements`, in the quote of an X402 job, what an x402 payment does.',
    examples: [exampleInfo],
  },
)
export type PaymentInfo = Static<typeof PaymentInfo>
