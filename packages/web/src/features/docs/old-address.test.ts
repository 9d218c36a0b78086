import { expect, test } from 'vitest'
import { decodedHash, operationOfOldHash } from './old-address.ts'

const operations = [{ id: 'getJob', method: 'GET', path: '/api/jobs/{id}', summary: 'Read a job' }]
const index = { guides: [], reference: [{ tag: 'Jobs', description: '', operations }], errors: [] }

test('a fragment of the former reference names its call', () => {
  expect(operationOfOldHash(index, 'tag/jobs/GET/api/jobs/{id}')).toBe('getJob')
  expect(operationOfOldHash(index, 'tag/jobs/get/api/jobs/{id}')).toBe('getJob')
  expect(operationOfOldHash(index, 'tag/jobs/POST/api/jobs/{id}')).toBeUndefined()
  expect(operationOfOldHash(index, 'tag/jobs')).toBeUndefined()
})

test('a fragment that is broken is none', () => {
  expect([decodedHash('a%20b'), decodedHash('%'), decodedHash('%E0%A4')]).toEqual(['a b', '', ''])
})
