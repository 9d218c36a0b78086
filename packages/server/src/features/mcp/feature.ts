import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { registerMcp } from './register.ts'

/** The marketplace as tools for language models. Every tool is a call of the API, made as the caller. */
export function defineFeature({ config, log, drain }: Ground): Feature<undefined> {
  const { publicUrl, corsOrigins } = config
  const { endOfWaits } = drain
  return {
    api: undefined,
    httpHooks: [(http) => registerMcp(http, { publicUrl, corsOrigins, log, endOfWaits })],
  }
}
