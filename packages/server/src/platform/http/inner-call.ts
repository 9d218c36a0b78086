import { AsyncLocalStorage } from 'node:async_hooks'

const outerRoutes = new AsyncLocalStorage<string>()

/** A call that one route of this service makes to another for its caller: a token that is for the outer one is good for it. */
export const callFrom = <T>(route: string, call: () => PromiseLike<T>): Promise<T> =>
  // Awaited inside, because a call may begin only when somebody waits for it.
  outerRoutes.run(route, async () => await call())

/** The route that the caller addressed, which for a call from inside is the outer one. Nothing in a request can set it. */
export const addressedRoute = (route: string): string => outerRoutes.getStore() ?? route
