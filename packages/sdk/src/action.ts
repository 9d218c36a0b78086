import type { Core } from './core.ts'
import type { DataOf, EndpointId, Request } from './endpoints.ts'
import { exchange } from './transport/exchange.ts'
import type { Exchange } from './transport/prepare.ts'

/**
 * An action that is one call: `requestOf` turns its arguments into the request, `resultOf` picks what it returns. Both are
 * typed by the endpoint, so that an action cannot drift from the contract.
 */
export function action<Id extends EndpointId, Args extends unknown[], Result>(
  id: Id,
  requestOf: (...args: Args) => Request<Id>,
  resultOf: (data: DataOf<Id>) => Result,
): (core: Core, ...args: Args) => Promise<Result> {
  return async (core, ...args) => {
    const { response } = await exchange(core, id, requestOf(...args) as Exchange)
    return resultOf((response as { data: DataOf<Id> }).data)
  }
}

/** For actions that return all of `data`. */
export const whole = <Data>(data: Data): Data => data
