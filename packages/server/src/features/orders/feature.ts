import type { JobDetail } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { PaidCalls } from '../../house/payments.ts'
import { createDoor } from './door.ts'
import { createPlacing, type Placing, type PlacingDeps } from './placing.ts'
import { receiptKeysOf, registerDidDocument } from './receipts/did-document.ts'
import { createReceiptShowing } from './receipts/show-receipt.ts'
import { createSignedReceipts } from './receipts/signed-receipts.ts'
import { type OrdersRoutesDeps, ordersRoutes } from './routes.ts'
import { isTokenOf, orderTokenOf } from './rules.ts'
import { findOrder, type OrderRow, removeExpiredNonces } from './store.ts'
import { createWaiting, type Waiting, type WaitingDeps } from './waiting.ts'
import { createWalletSignIn } from './wallet-sign-in.ts'

const CLEANING_SECONDS = 60
/** A stream is held for up to an hour, so that it takes no place of a call that waits for a delivery. */
const STREAMS = { maxWaiting: 1_000, maxPerOwner: 100 }

interface Deps extends Ground {
  notifications: Pick<WaitingDeps, 'watch'>
  owners: { accounts: { findOrCreate: PlacingDeps['findOrCreateOwner'] } }
  agents: { findOrderedService: PlacingDeps['findService'] }
  paid: Pick<PlacingDeps, 'offerFor'> & { paidCalls: PaidCalls }
  budgets: PlacingDeps['budgets']
  jobs: {
    create: PlacingDeps['createJob']
    readAsClient: (jobId: string, ownerId: string) => Promise<JobDetail>
  }
  jobFiles: Pick<OrdersRoutesDeps, 'download'>
}

interface Api {
  place: Placing['place']
  find: (jobId: string) => Promise<OrderRow | undefined>
  /** Holds a call until the job of an order is where the caller wants it. */
  until: Waiting['until']
  /** The same for streams, in places of their own. */
  untilNews: Waiting['until']
  /** Opens one thing by its id, to callers without an account. */
  tokens: { of: (id: string) => string; opens: (id: string, token: string) => boolean }
}

/** Services that anyone can order and pay for at one URL, without an account. */
export function defineFeature(deps: Deps): Feature<Api> {
  const { db, config, chain, wallClock, paid, jobs } = deps
  const { publicUrl, sessionSecret: secret } = config
  const keys = receiptKeysOf(config)
  const receipts = keys && createSignedReceipts(keys, wallClock)
  const signIn = createWalletSignIn({ db, clock: wallClock, chain, publicUrl, secret })
  const { endOfWaits } = deps.drain
  const waiting = createWaiting({ ...deps.notifications, endOfWaits })
  const streams = createWaiting({ ...deps.notifications, endOfWaits, ...STREAMS })
  const placing = createPlacing({
    ...deps,
    publicUrl,
    checksumAddress: chain.checksumAddress,
    findService: deps.agents.findOrderedService,
    findOrCreateOwner: deps.owners.accounts.findOrCreate,
    createJob: jobs.create,
    offerFor: paid.offerFor,
    paidCalls: paid.paidCalls,
    signIn,
    receipts,
  })
  const door = createDoor({ db, publicUrl, secret, signIn })
  return {
    api: {
      place: placing.place,
      find: (jobId) => findOrder(db, jobId),
      until: waiting.until,
      untilNews: streams.until,
      tokens: { of: (id) => orderTokenOf(id, secret), opens: (id, token) => isTokenOf(id, token, secret) },
    },
    routes: ordersRoutes({
      placing,
      door,
      waiting,
      publicUrl,
      secret,
      offerFor: paid.offerFor,
      readJob: jobs.readAsClient,
      showReceipt: createReceiptShowing({ publicUrl, paidCalls: paid.paidCalls, receipts }),
      download: deps.jobFiles.download,
    }),
    ticks: [
      {
        name: 'sign-ins-expired',
        seconds: CLEANING_SECONDS,
        handler: (signal) => removeExpiredNonces(db, wallClock.now(), signal),
      },
    ],
    gauges: [
      {
        name: 'orders_waiting',
        help: 'Calls in this process that wait for the delivery of an order.',
        read: waiting.size,
      },
      {
        name: 'order_streams',
        help: 'Streams in this process that follow an order.',
        read: streams.size,
      },
    ],
    httpHooks: [
      (http) => {
        if (keys) registerDidDocument(http, keys)
      },
    ],
  }
}
