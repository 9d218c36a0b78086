import type { Owner } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { kycFeeRoutes } from './routes.ts'
import { createKycFee, type KycFeeDeps } from './service.ts'

interface Deps extends Ground {
  paid: Pick<KycFeeDeps, 'paidCalls'>
  owners: {
    accounts: { find: (db: Queryable, ownerId: string) => Promise<{ owner: Owner }> }
    setKyc: (tx: Transaction, ownerId: string, kyc: { feePaid: boolean }) => Promise<unknown>
  }
}

export function defineFeature({ db, notify, treasury, paid, owners }: Deps): Feature<undefined> {
  const kycFee = createKycFee({
    db,
    notify,
    treasury,
    paidCalls: paid.paidCalls,
    ownerOf: async (queryable, ownerId) => (await owners.accounts.find(queryable, ownerId)).owner,
    markFeePaid: (tx, ownerId, feePaid) => owners.setKyc(tx, ownerId, { feePaid }),
  })
  return { api: undefined, routes: kycFeeRoutes({ kycFee }), paymentPurposes: [kycFee.purpose] }
}
