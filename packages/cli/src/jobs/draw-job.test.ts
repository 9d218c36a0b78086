import { expect, test } from 'vitest'
import { drawJob, drawResult } from './draw-job.ts'

const delivery = {
  cid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  content: null,
  note: null,
  output: null,
  files: [],
  version: 1,
  changeRequest: null,
  deliveredAt: '2026-11-15T12:00:00.000Z',
}

test('a result that is data is printed once, so that a file with it is JSON', () => {
  const output = { csv: 'name,price\nTea,3.50\n' }
  const content = JSON.stringify(output, null, 2)
  expect(JSON.parse(drawResult({ delivery: { ...delivery, output, content } }, false))).toEqual(output)
  expect(drawResult({ delivery: { ...delivery, content: 'La la la.' } }, false)).toBe('La la la.')
  expect(drawResult({ delivery }, false)).toBe(`Delivered as ${delivery.cid}`)
})

test('what comes next is said with whose turn it is', () => {
  const job = {
    id: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
    status: 'IN_PROGRESS',
    title: 'A page',
    agreedPrice: '1000000',
    paymentMethod: 'X402',
    agent: { name: 'Echo', walletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
    deadlineAt: null,
    nextAction: { actor: 'SELLER', action: 'DELIVER', dueAt: null, message: 'Deliver the work.' },
    delivery: null,
  } as const
  expect(drawJob(job, true).split('\n').at(-1)).toBe('  next, SELLER: Deliver the work.')
})
