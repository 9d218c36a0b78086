import { AgentCard } from '@a2a-js/sdk'
import { Type } from 'typebox'
import { type Feature, task } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { whenHappens } from '../../house/happenings.ts'
import { registerDocument } from '../../platform/http/document.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { type CardRoutesDeps, cardRoutes } from './card-routes.ts'
import { marketCardOf } from './cards.ts'
import { createRequestHandler } from './handler.ts'
import { type HandlerFor, registerJsonRpc } from './http/json-rpc.ts'
import { registerRest } from './http/rest.ts'
import { createMarket, type MarketDeps } from './market.ts'
import { createPushConfigs, type PushConfigsDeps } from './push/configs.ts'
import { createPushLooks, LOOK_TASK, type PushLooksDeps } from './push/looking.ts'
import { createPushPace } from './push/pace.ts'
import { removeUnpaid } from './store.ts'
import { type AskingDeps, createAsking } from './tasks/asking.ts'
import { createFollowing, type FollowingDeps } from './tasks/following.ts'
import { createListing } from './tasks/listing.ts'
import { createOwnTasks, type OwnTasksDeps } from './tasks/own.ts'
import { createPaying, type PayingDeps } from './tasks/paying.ts'
import { createReading, type ReadingDeps } from './tasks/reading.ts'
import { createSending, type SendingDeps } from './tasks/sending.ts'

const CLEANING_SECONDS = 60
/** Tasks that nobody paid for, in one transaction. */
const REMOVED_AT_ONCE = 1_000
const LOOKS_AT_ONCE = 4
const LOOKS_OF_ONE = 2

interface Deps extends Ground {
  agents: {
    pages: CardRoutesDeps['pages'] & MarketDeps['pages']
    findOrderedServices: AskingDeps['findServices']
  }
  paid: Pick<ReadingDeps, 'paidCalls' | 'isPaid'>
  jobs: { readAsClient: ReadingDeps['readJob']; cancelAsClient: OwnTasksDeps['cancelJob'] }
  room: Pick<ReadingDeps, 'newestProgress' | 'newestMessages'> & Pick<SendingDeps, 'sendMessage'>
  orders: PayingDeps['orders'] & FollowingDeps['orders']
  apiKeys: { isLive: (principal: Pick<Principal, 'sessionId' | 'accountStatus'>) => Promise<boolean> }
  connections: { skillsOf: CardRoutesDeps['ownSkillsOf'] }
  receivers: PushConfigsDeps['receivers'] & PushLooksDeps['receivers']
}

/** Agents and the marketplace as A2A agents: a message is an order, and its job is the task. */
export function defineFeature(deps: Deps): Feature<undefined> {
  const { db, config, log, wallClock, newId, queue, agents, jobs, room, orders, paid, receivers } = deps
  const { publicUrl, sessionSecret: secret } = config
  const reading = createReading({ ...deps, ...paid, ...room, publicUrl, readJob: jobs.readAsClient })
  const asking = createAsking({ db, publicUrl, findServices: agents.findOrderedServices, orders })
  const isKeyLive = (sessionId: string) => deps.apiKeys.isLive({ sessionId, accountStatus: 'ACTIVE' })
  const looks = createPushLooks({ db, queue, reading, receivers, isKeyLive, readJob: jobs.readAsClient })
  const { noticeTask } = looks
  const pace = createPushPace({
    clock: wallClock,
    limiter: deps.limiter,
    isEnforced: config.rateLimitsEnforced,
  })
  const push = createPushConfigs({ db, clock: wallClock, reading, looks, pace, receivers })
  const pay = createPaying({ db, orders, asking, reading, noticeTask, isPaid: paid.isPaid })
  const cancelJob = jobs.cancelAsClient
  const own = createOwnTasks({ db, clock: wallClock, reading, asking, noticeTask, cancelJob })
  const methods = {
    log,
    ...own,
    send: createSending({
      db,
      clock: wallClock,
      newId,
      secret,
      asking,
      reading,
      pay,
      noticeTask,
      sendMessage: room.sendMessage,
    }),
    respond: createMarket({ publicUrl, newId, pages: agents.pages }),
    list: createListing({ db, secret, read: own.read }),
    following: createFollowing({ reading, orders }),
    push,
  }
  const removeSome = (): Promise<number> =>
    db.transaction(async (tx) => {
      const ids = await removeUnpaid(tx, wallClock.now(), REMOVED_AT_ONCE)
      await push.forget(tx, ids)
      return ids.length
    })
  const removeExpired = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await removeSome()) === REMOVED_AT_ONCE);
  }
  const marketCard = marketCardOf(publicUrl)
  // Both kinds of cards have the same capabilities, and nothing else of the card is read.
  const card = AgentCard.fromJSON(marketCard)
  const handlerFor: HandlerFor = (caller) => createRequestHandler(methods, caller, card)
  return {
    api: undefined,
    routes: cardRoutes({
      publicUrl,
      pages: agents.pages,
      ownSkillsOf: deps.connections.skillsOf,
    }),
    ticks: [
      {
        name: 'a2a-tasks-expired',
        seconds: CLEANING_SECONDS,
        handler: removeExpired,
      },
    ],
    happenings: [whenHappens('jobs.noticed', (tx, { jobIds }) => looks.noticeJobs(tx, jobIds))],
    tasks: [
      task(LOOK_TASK, {
        schema: Type.Object({ receiverId: Type.String() }),
        handler: looks.look,
        concurrency: LOOKS_AT_ONCE,
        groupConcurrency: LOOKS_OF_ONE,
      }),
    ],
    httpHooks: [
      (http) => {
        registerDocument(http, {
          path: '/.well-known/agent-card.json',
          type: 'application/json; charset=utf-8',
          openToPages: true,
          make: () => JSON.stringify(marketCard),
        })
        for (const path of ['/api/a2a', '/api/agents/:wallet/a2a']) {
          registerJsonRpc(http, path, handlerFor)
          registerRest(http, path, handlerFor)
        }
      },
    ],
  }
}
