import type { Core } from './core.ts'
import { MarketplaceError } from './errors.ts'

type Action<Rest extends unknown[], Result> = (core: Core, ...rest: Rest) => Promise<Result>

/** An action whose code is loaded when it is first called. */
export function later<Rest extends unknown[], Result>(
  load: () => Promise<Action<Rest, Result>>,
): Action<Rest, Result> {
  return async (core, ...rest) => {
    const action = await load().catch((cause) => {
      throw new MarketplaceError('NETWORK_ERROR', {
        message: 'A part of the client could not be loaded. Nothing was signed or sent.',
        cause,
      })
    })
    return action(core, ...rest)
  }
}
