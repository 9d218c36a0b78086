import { formatMicro, KYC_FEE_MICRO, payKycFee } from '@agent-marketplace/contract'
import { type Route, route, WithStatus } from '../../platform/http/call.ts'
import type { KycFee } from './service.ts'

export function kycFeeRoutes({ kycFee }: { kycFee: KycFee }): Route[] {
  return [
    route(payKycFee, async (call) => {
      const { owner, status, txHash } = await kycFee.pay(call)
      const response = { data: { owner, payment: { status, amount: formatMicro(KYC_FEE_MICRO), txHash } } }
      return status === 'PENDING' ? new WithStatus(202, response) : response
    }),
  ]
}
