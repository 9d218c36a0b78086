import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { createPaymentsService, type PaymentsService } from './service.ts'
import { findLivePayment } from './store.ts'

const LOOK_UP_SECONDS = 5

interface Api extends PaymentsService {
  /** Whether something is paid for, or a payment for it is under way. */
  isPaid: (db: Queryable, purpose: string, reference: string) => Promise<boolean>
}

export async function defineFeature(deps: Ground): Promise<Feature<Api>> {
  const { config } = deps
  const service = await createPaymentsService({
    ...deps,
    clock: deps.wallClock,
    chainClock: deps.clock,
    port: deps.payments,
    publicUrl: config.publicUrl,
    endOfWaits: deps.drain.endOfWaits,
    guestGas: { gas: config.gasBudget.platformGas / 2n, isEnforced: config.rateLimitsEnforced },
  })
  const { payments } = service
  return {
    api: {
      ...service,
      isPaid: async (db, purpose, reference) => (await findLivePayment(db, purpose, reference)) !== undefined,
    },
    intentKinds: payments.intentKinds,
    eventHandlers: payments.eventHandlers,
    ticks: [
      {
        name: 'x402-look-ups',
        seconds: LOOK_UP_SECONDS,
        handler: payments.resume,
        followsUp: true,
      },
    ],
    close: payments.close,
  }
}
