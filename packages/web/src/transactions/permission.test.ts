import { expect, test } from 'vitest'
import { lookAtPermission, permissionTopics } from './permission.ts'

const txHash = `0x${'ab'.repeat(32)}`
const hash = `0x${'cd'.repeat(32)}`
const log = (name: keyof typeof permissionTopics, transactionHash = `0x${'01'.repeat(32)}`) => ({
  topics: [permissionTopics[name], hash],
  transactionHash,
})

test('a permission that was used names its transaction, whatever came after', () => {
  const logs = [log('approved'), log('used', txHash), log('revoked')]
  expect(lookAtPermission(logs)).toEqual({ state: 'sent', txHash })
})

test('one that was given back without having been used has cost nothing', () => {
  const failed = { state: 'failed', failure: 'The amount could not be pulled. Nothing was charged.' }
  expect(lookAtPermission([log('approved'), log('revoked')])).toEqual(failed)
  expect(lookAtPermission([log('revoked')])).toEqual(failed)
})

test('until then it is pending once the chain knows it, and signed before', () => {
  expect(lookAtPermission([log('approved')])).toEqual({ state: 'sent' })
  expect(lookAtPermission([])).toEqual({ state: 'signed' })
})
