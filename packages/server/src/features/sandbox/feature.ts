import { AppError } from '@agent-marketplace/contract'
import type { Feature, HttpHook, Tick } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { registerSandboxRpc, sandboxChainRoutes } from './chain-routes.ts'
import { registerSandboxKycPage, type SandboxKycPageDeps } from './kyc-page-routes.ts'
import { type SandboxKycRoutesDeps, sandboxKycRoutes } from './kyc-routes.ts'
import { sandboxResetRoutes } from './reset-routes.ts'
import { createTimeTravel } from './time-travel.ts'

/** Work under way ends within milliseconds here; this is for a machine that has much else to do. */
const WORK_LIMIT_MS = 30_000

interface Deps extends Ground {
  owners: SandboxKycRoutesDeps & {
    findKycApplicant: SandboxKycPageDeps['findApplicant']
    receiveKycWebhook: SandboxKycPageDeps['receiveWebhook']
  }
  /** Those of all features: what is due on the way is done when the clock is moved. */
  ticks: readonly Tick[]
}

/** Its powers over keys, time and data; without a chain of its own there is nothing of it. */
export function defineFeature(deps: Deps): Feature<undefined> {
  const { sandbox, config, wallClock, limiter, owners } = deps
  if (!sandbox) return { api: undefined }
  const { chain, kyc, reset } = sandbox
  const { rateLimitsEnforced } = config
  const { checksumAddress } = deps.chain
  const rpc: HttpHook = (http) => registerSandboxRpc(http, { chain, limiter, rateLimitsEnforced })
  const kycPage: HttpHook[] = kyc
    ? [
        (http) =>
          registerSandboxKycPage(http, {
            findApplicant: owners.findKycApplicant,
            messageOf: kyc.messageOf,
            receiveWebhook: owners.receiveKycWebhook,
          }),
      ]
    : []
  return {
    api: undefined,
    routes: [
      ...sandboxKycRoutes({ setKyc: owners.setKyc }),
      ...sandboxChainRoutes({ chain, checksumAddress, wallClock, travel: createTravel(deps, chain) }),
      ...(reset ? sandboxResetRoutes({ reset }) : []),
    ],
    httpHooks: [rpc, ...kycPage],
  }
}

function createTravel({ queue, money, ticks }: Deps, chain: NonNullable<Deps['sandbox']>['chain']) {
  const followUps = ticks.filter(({ followsUp }) => followsUp).map(({ name }) => name)
  return createTimeTravel({
    chain,
    timers: ticks.flatMap(({ name, nextDueAt }) => (nextDueAt ? [{ tick: name, nextDueAt }] : [])),
    async finishWork() {
      await queue.runTicks(followUps)
      if (await money.idlesWithin(WORK_LIMIT_MS)) return
      throw new AppError('UNAVAILABLE', {
        message: 'Earlier work is still running, so the clock cannot move yet. Try again in a moment.',
      })
    },
    runTicks: queue.runTicks,
    runAll: () => queue.runAllNow({ onlyDue: true }),
  })
}
