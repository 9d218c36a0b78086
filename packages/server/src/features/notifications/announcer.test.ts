import { expect, test } from 'vitest'
import { messagesOf, readMessage } from './announcer.ts'

const pages = (count: number) => Array.from({ length: count }, (_, at) => `/jobs/cjob${at}`)
const about = (ownerId: string, ...links: (string | undefined)[]) => links.map((link) => ({ ownerId, link }))

test('an owner gets one message, which names the pages that the news are about', () => {
  const messages = messagesOf([
    ...about('ann', '/jobs/c1', '/jobs/c2', '/jobs/c1'),
    ...about('ben', '/jobs/c3'),
  ])
  expect(messages.map(readMessage)).toEqual([
    { ownerId: 'ann', links: ['/jobs/c1', '/jobs/c2'] },
    { ownerId: 'ben', links: ['/jobs/c3'] },
  ])
})

test('a message that cannot name them all names none, and stays below the limit of PostgreSQL', () => {
  for (const links of [['/jobs/c1', undefined], pages(101), ['/a path'], [`/${'x'.repeat(60)}`], ['/ü']])
    expect(messagesOf(about('ann', ...links)).map(readMessage)).toEqual([{ ownerId: 'ann', links: [] }])
  const longest = Array.from({ length: 100 }, (_, at) => `/${String(at).padStart(59, 'x')}`)
  const [message = ''] = messagesOf(about(`c${'0'.repeat(24)}`, ...longest))
  expect(readMessage(message).links).toEqual(longest)
  expect(Buffer.byteLength(message)).toBeLessThan(8_000)
})
