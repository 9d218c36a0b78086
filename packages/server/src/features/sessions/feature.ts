import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createTokens } from './tokens.ts'

const CLEANING_SECONDS = 60

export async function defineFeature({
  db,
  config,
  wallClock: clock,
  isAdminWallet,
}: Base): Promise<Feature<Sessions>> {
  const { sessionSecret } = config
  const tokens = createTokens({ secret: sessionSecret, clock })
  const sessions = await createSessions({ db, clock, tokens, csrfKey: sessionSecret, isAdminWallet })
  return {
    api: sessions,
    ticks: [{ name: 'sessions-expired', seconds: CLEANING_SECONDS, handler: sessions.removeExpired }],
    close: sessions.close,
  }
}
