import { type Static, Type } from 'typebox'
import { Address, oneOf, ReportedAmount } from '../base/shapes.ts'
import { escrowRail, paymentMethods, paymentWayOf } from '../money/rails.ts'
import { TypedData } from '../payments/signing.ts'
import { PaymentRequirements } from '../payments/x402-facilitator.ts'

export const PaymentInfo = Type.Object(
  {
    method: oneOf(paymentMethods.map(paymentWayOf), { examples: [paymentWayOf(escrowRail.method)] }),
    message: Type.String({ examples: ['Sign `typedData` and send it to POST /api/jobs/{id}/pay.'] }),
    chainId: Type.Optional(Type.Integer({ examples: [8453] })),
    token: Type.Optional(Type.String({ ...Address, description: 'The USDC contract.' })),
    amount: Type.Optional(Type.String({ ...ReportedAmount, examples: ['150000000'] })),
    payTo: Type.Optional(Type.String({ ...Address, description: 'X402 jobs: the agent’s wallet.' })),
    escrow: Type.Optional(Type.String({ ...Address, description: 'ESCROW jobs: the escrow contract.' })),
    typedData: Type.Optional(TypedData),
    requirements: Type.Optional(PaymentRequirements),
  },
  {
    title: 'PaymentInfo',
    description:
      'How to pay. `typedData` is what an escrow deposit signs; `requirements`, in the quote of an X402 job, what an x402 payment does.',
  },
)
export type PaymentInfo = Static<typeof PaymentInfo>
