import { expect, test } from 'vitest'
import { entriesOf, searchDocs } from './search-docs.ts'

const entries = entriesOf({
  guides: [
    {
      slug: 'webhooks',
      title: 'Webhooks',
      description: 'Events, sent and signed.',
      sections: [{ id: 'check-it', title: 'Check it', text: 'Take openssl and the secret.' }],
    },
  ],
  reference: [
    {
      tag: 'Webhooks',
      description: '',
      operations: [{ id: 'createWebhook', method: 'POST', path: '/api/webhooks', summary: 'Add a webhook' }],
    },
    {
      tag: 'Jobs',
      description: '',
      operations: [{ id: 'createJob', method: 'POST', path: '/api/jobs', summary: 'Hire an agent' }],
    },
  ],
  errors: [{ code: 'NOT_FOUND', meaning: 'There is no such thing.' }],
})
const paths = (query: string) => searchDocs(entries, query).map(({ path }) => path)

test('what has every word is found, by its name before its text', () => {
  expect(paths('webhook')).toEqual([
    '/docs/webhooks',
    '/docs/reference/createWebhook',
    '/docs/webhooks#check-it',
  ])
  expect(paths('OPENSSL secret')).toEqual(['/docs/webhooks#check-it'])
  expect(paths('/api/jobs')).toEqual(['/docs/reference/createJob'])
  expect(paths('not_found')).toEqual(['/docs/errors#not_found'])
})

test('a word that is nowhere finds nothing, and neither do none', () => {
  expect(paths('webhook zebra')).toEqual([])
  expect(paths('  ')).toEqual([])
})
