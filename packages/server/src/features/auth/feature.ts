import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { authRoutes } from './routes.ts'
import { type AuthDeps, createAuthService } from './service.ts'

const CLEANING_SECONDS = 60

interface Deps extends Ground {
  sessions: AuthDeps['sessions'] & { forgetOwner: (ownerId: string) => void }
  owners: Pick<AuthDeps, 'accounts'>
}

export function defineFeature({
  db,
  config,
  wallClock: clock,
  chain,
  sessions,
  owners,
}: Deps): Feature<undefined> {
  const { publicUrl, takesBareNonce } = config
  const { accounts } = owners
  const auth = createAuthService({ db, clock, chain, sessions, accounts, publicUrl, takesBareNonce })
  const { forgetOwner } = sessions
  return {
    api: undefined,
    routes: authRoutes({ auth, forgetOwner, secureCookies: config.mode === 'production' }),
    ticks: [{ name: 'nonces-expired', seconds: CLEANING_SECONDS, handler: auth.removeExpired }],
  }
}
