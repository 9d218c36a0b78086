import { type KycStatus, type Owner, setSandboxKyc } from '@agent-marketplace/contract'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type Route, route } from '../../platform/http/call.ts'

export interface SandboxKycRoutesDeps {
  setKyc: (
    tx: Transaction,
    ownerId: string,
    kyc: { status?: KycStatus | undefined; feePaid?: boolean | undefined },
  ) => Promise<Owner>
}

/** Callers set their own verification; there is no way to name another owner. */
export function sandboxKycRoutes({ setKyc }: SandboxKycRoutesDeps): Route[] {
  return [
    route(setSandboxKyc, ({ principal, body, transaction }) =>
      transaction(async (tx) => ({ data: { owner: await setKyc(tx, principal.ownerId, body) } })),
    ),
  ]
}
