import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { ownersRoutes } from './routes.ts'
import { createOwnersService, type OwnersService } from './service.ts'

const SEALING_SECONDS = 600

interface Deps extends Ground {
  sessions: { forgetOwner: (ownerId: string) => void }
}

export function defineFeature(deps: Deps): Feature<OwnersService> {
  const { db, log, wallClock: clock, newId, kyc, sealers, isAdminWallet, notify, sessions } = deps
  const owners = createOwnersService({
    db,
    log,
    clock,
    newId,
    kyc,
    sealer: sealers.personalData,
    isAdminWallet,
    notify,
    forgetOwner: sessions.forgetOwner,
  })
  return {
    api: owners,
    routes: ownersRoutes({ owners }),
    // Again and again, because a process of an older version may still run beside this one.
    ticks: [{ name: 'seal-personal-data', seconds: SEALING_SECONDS, handler: owners.sealPlainDetails }],
  }
}
