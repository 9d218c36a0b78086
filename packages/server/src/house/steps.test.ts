import { expect, test } from 'vitest'
import type { Transaction } from '../platform/db/transaction.ts'
import { WithStatus } from '../platform/http/call.ts'
import { type Confirmation, prepareSteps, respondFromChain, respondInSteps, takeSteps } from './steps.ts'

const tx = {} as Transaction

/** Steps that write down when they are taken. */
function recordedSteps(status: Confirmation = 'SETTLED') {
  const taken: string[] = []
  const steps = {
    async prepare() {
      taken.push('prepare')
      return 'wallet'
    },
    async decide(_tx: Transaction, prepared: string) {
      taken.push('decide')
      return `${prepared} decided`
    },
    async conclude(prepared: string, decided: string | undefined) {
      taken.push(decided === undefined ? 'conclude again' : 'conclude')
      return { status, read: async () => `${prepared} on chain` }
    },
  }
  return { taken, steps }
}

function recordedCall(taken: string[], kept?: WithStatus<string>) {
  return {
    async transaction(work: (tx: Transaction) => Promise<string | WithStatus<string>>) {
      if (kept) return kept
      taken.push('begin')
      const response = await work(tx)
      taken.push('commit')
      return response
    },
  }
}

test('prepares before the transaction, decides and presents in it', async () => {
  const { taken, steps } = recordedSteps()
  const response = await respondInSteps(recordedCall(taken), steps, (decided) => {
    taken.push('present')
    return decided
  })
  expect(response).toBe('wallet decided')
  expect(taken).toEqual(['prepare', 'begin', 'decide', 'present', 'commit'])
})

test('waits for the chain after the transaction and presents what it finds there', async () => {
  const { taken, steps } = recordedSteps()
  expect(await respondFromChain(recordedCall(taken), steps, (value) => value)).toBe('wallet on chain')
  expect(taken).toEqual(['prepare', 'begin', 'decide', 'commit', 'conclude'])
})

test('what nobody knows yet is a 202', async () => {
  const { taken, steps } = recordedSteps('PENDING')
  const response = await respondFromChain(recordedCall(taken), steps, (value) => value)
  expect(response).toEqual(new WithStatus(202, 'wallet on chain'))
})

test('what cannot be overtaken is shown as it was decided', async () => {
  const { taken, steps } = recordedSteps('DECIDED')
  expect(await respondFromChain(recordedCall(taken), steps, (value) => value)).toBe('wallet decided')
})

test('a repeated call decides nothing, and replaces an outdated response', async () => {
  const kept = new WithStatus(200, 'kept')
  const { taken, steps } = recordedSteps('DECIDED')
  const call = recordedCall(taken, kept)
  expect(await respondFromChain(call, steps, (value) => value)).toBe(kept)
  const isOutdated = (value: string, decided: string | undefined) => value === 'kept' && decided === undefined
  expect(await respondFromChain(call, steps, (value) => value, isOutdated)).toBe('wallet on chain')
  expect(taken).toEqual(['prepare', 'conclude again', 'prepare', 'conclude again'])
})

test('outside of calls the steps are the same', async () => {
  const { taken, steps } = recordedSteps()
  const db = { transaction: <T>(work: (tx: Transaction) => Promise<T>) => work(tx) }
  expect((await takeSteps(db, steps)).status).toBe('SETTLED')
  const decide = await prepareSteps(steps)
  expect(taken).toEqual(['prepare', 'decide', 'conclude', 'prepare'])
  expect(await decide(tx)).toBe('wallet decided')
})
