import { expect, test } from 'vitest'
import { linkCoinbase } from './coinbase.ts'

const [one, other] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]

/** A provider with one connection, as Coinbase's: without it, it rejects everything but the question for accounts. */
function openLink(accounts: string[] | undefined) {
  const state = { isConnected: accounts !== undefined }
  const link = linkCoinbase(
    {
      request: async () => accounts ?? Promise.reject(new Error('unauthorized')),
      disconnect: async () => {
        state.isConnected = false
      },
    },
    { id: 84532 },
  )
  return { link, state }
}

test('the connection of an account is ended for that account alone', async () => {
  const { link, state } = openLink([one.toUpperCase().replace('0X', '0x')])
  await link.disconnect(other)
  expect(state.isConnected).toBe(true)
  await link.disconnect(one)
  expect(state.isConnected).toBe(false)
})

test('without a connection there is nothing to end', async () => {
  const { link } = openLink(undefined)
  await expect(link.disconnect(one)).resolves.toBeUndefined()
})
