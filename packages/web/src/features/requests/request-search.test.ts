import { expect, test } from 'vitest'
import { filterOf } from './request-search.ts'
import { durationText, toneOfStatus } from './request-words.ts'

test('the address names the filters, and what is not one is passed over', () => {
  const wanted = { requestId: 'req_1', status: '4xx', method: 'POST', path: '/api/jobs', caller: 'cmi0' }
  expect(filterOf(wanted)).toEqual(wanted)
  expect(filterOf({ status: 'teapot', method: 'BREW', caller: 'two words', path: '' })).toEqual({})
})

test('a duration is shown as people read it', () => {
  expect([0.4, 12.4, 999.4, 1_234, 65_000].map(durationText)).toEqual([
    '0.4 ms',
    '12 ms',
    '999 ms',
    '1.2 s',
    '65.0 s',
  ])
})

test('rejections and failures stand out', () => {
  expect([200, 302, 404, 500].map(toneOfStatus)).toEqual(['done', 'pending', 'disputed', 'disputed'])
})
