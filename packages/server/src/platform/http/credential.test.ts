import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readCredential, tokenCookie } from './credential.ts'

const read = (headers: { authorization?: string; cookie?: string }) =>
  readCredential({ headers } as FastifyRequest)

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc.def', 'abc.def'],
  ['Bearer abc def', undefined],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Bearerabc', undefined],
  ['Basic abc', undefined],
  ['xBearer abc', undefined],
])('Authorization: %s is the token %s', (authorization, token) => {
  expect(read({ authorization })).toEqual(token && { token, kind: 'bearer' })
})

test.each([
  ['token=abc', 'abc'],
  ['theme=dark; token=abc; other=1', 'abc'],
  ['theme=dark;token=abc', 'abc'],
  ['theme=dark;  token=abc', 'abc'],
  ['csrftoken=abc', undefined],
  ['token=', undefined],
  ['other=1', undefined],
])('Cookie: %s is the token %s', (cookie, token) => {
  expect(read({ cookie })).toEqual(token && { token, kind: 'cookie' })
})

test('a Bearer header decides alone, and another scheme is passed over', () => {
  expect(read({ authorization: 'Bearer bad', cookie: 'token=good' })).toEqual({
    token: 'bad',
    kind: 'bearer',
  })
  expect(read({ authorization: 'Basic x', cookie: 'token=good' })).toEqual({ token: 'good', kind: 'cookie' })
  expect(read({})).toBeUndefined()
})

test('pages cannot read the cookie, and other sites do not send it', () => {
  expect(tokenCookie('abc', { secure: true, maxAgeSeconds: 60 })).toBe(
    'token=abc; HttpOnly; SameSite=Lax; Path=/; Max-Age=60; Secure',
  )
  expect(tokenCookie('', { secure: false, maxAgeSeconds: 0 })).toBe(
    'token=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0',
  )
})
