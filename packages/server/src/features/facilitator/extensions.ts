import { MAX_SERVICES } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { orderUrlOf } from '../../house/services/payable-service.ts'
import type { DiscoveryDeps, PayablePages } from './discovery.ts'

/** Extensions of the x402 protocol that this facilitator reads in a payload. */
export const EXTENSIONS: readonly string[] = ['bazaar']

const declared = Compile(Type.Object({ extensions: Type.Object({ bazaar: Type.Unknown() }) }))
const located = Compile(Type.Object({ resource: Type.Object({ url: Type.String() }) }))

type ExtensionResponses = Record<string, { status: 'success' | 'rejected'; rejectedReason?: string }>

/**
 * What becomes of the extensions in a payload, by name; undefined where it has none of them. The catalogue lists services of
 * this marketplace by itself, and nothing that a payload describes: a payer could write anything into it.
 */
export async function respondToExtensions(
  { publicUrl, listPayable }: Pick<DiscoveryDeps, 'publicUrl'> & Pick<PayablePages, 'listPayable'>,
  paymentPayload: unknown,
  payTo: string,
): Promise<ExtensionResponses | undefined> {
  if (!declared.Check(paymentPayload)) return undefined
  const url = located.Check(paymentPayload) ? paymentPayload.resource.url : undefined
  const { services } = await listPayable({ payTo, limit: MAX_SERVICES, offset: 0 })
  const isListed = services.some(
    ({ service }) => orderUrlOf(publicUrl, service.agent.walletAddress, service.id) === url,
  )
  return {
    bazaar: isListed
      ? { status: 'success' }
      : { status: 'rejected', rejectedReason: 'Only services of this marketplace are listed here.' },
  }
}
