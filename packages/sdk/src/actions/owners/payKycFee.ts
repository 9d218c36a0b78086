import { KYC_FEE_MICRO } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import type { DataOf, MutationOptions } from '../../endpoints.ts'
import { payByX402 } from '../../payments/payByX402.ts'
import { getConfig } from './account.ts'

/** Pays the one-time verification fee by x402. Once it is paid, calling it again charges nothing. */
export async function payKycFee(core: Core, options: MutationOptions = {}): Promise<DataOf<'payKycFee'>> {
  // Asked again each time: the treasury can change while the service runs.
  const { contracts } = await getConfig(core)
  const agreed = { amountMicro: KYC_FEE_MICRO, payTo: contracts.treasury }
  const { response } = await payByX402(core, 'payKycFee', options, agreed)
  return response.data
}
