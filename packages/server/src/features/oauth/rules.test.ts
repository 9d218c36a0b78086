import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  flawOf,
  grantIdOf,
  hashOf,
  hostOf,
  isGrantSession,
  isLocalRedirect,
  isProtectedRedirect,
  isWellFormed,
  knownScopes,
  lifetimes,
  nameOf,
  resourceOf,
  resourceOfRoute,
  sessionIdOf,
} from './rules.ts'

const publicUrl = new URL('https://market.example.com')

test('a request, a code and an access token are short-lived, in this order of use', () => {
  expect(lifetimes).toEqual({
    request: 900,
    code: 60,
    accessToken: 3_600,
    unused: 1_200,
    registration: 86_400,
    afterGrant: 2_592_000,
  })
})

test.each([
  [{ client_id: 'a', response_mode: undefined }, undefined],
  [{ client_id: 'a', response_mode: '' }, undefined],
  [{ client_id: 'a', response_mode: 'query' }, undefined],
  [{ client_id: 'a', response_mode: 'fragment' }, 'the response_mode must be query'],
  [{ client_id: 'a'.repeat(500) }, undefined],
  [{ client_id: 'a'.repeat(501) }, 'the client_id is too long'],
])('of the request %o the flaw is %s', (request, flaw) => {
  expect(flawOf(request)).toBe(flaw)
})

test('a call of /mcp is for that resource, every other for the interface', () => {
  expect(resourceOf(publicUrl, '/mcp')).toBe('https://market.example.com/mcp')
  expect(resourceOfRoute(publicUrl, '/mcp')).toBe('https://market.example.com/mcp')
  expect(resourceOfRoute(publicUrl, '/api/jobs')).toBe('https://market.example.com/api')
  expect(resourceOfRoute(publicUrl, '/mcp/other')).toBe('https://market.example.com/api')
})

test('a token has 43 letters, and is kept as a hash', () => {
  const token = `${'a1_-'.repeat(10)}Zz9`
  expect(isWellFormed(token)).toBe(true)
  for (const wrong of ['', token.slice(1), `${token}a`, `${token.slice(1)} `, `${token.slice(1)}.`])
    expect(isWellFormed(wrong), wrong).toBe(false)
  expect(Buffer.from(hashOf('a')).toString('hex')).toBe(createHash('sha256').update('a').digest('hex'))
})

test('a grant stands for a session of its own, recognised by its name', () => {
  expect(sessionIdOf('c1')).toBe('oauth:c1')
  expect(grantIdOf(sessionIdOf('c1'))).toBe('c1')
  expect([isGrantSession('oauth:c1'), isGrantSession('api-key:c1'), isGrantSession('xoauth:c1')]).toEqual([
    true,
    false,
    false,
  ])
})

test('of the scopes that are requested, those that exist count', () => {
  expect(knownScopes('sell read unknown read')).toEqual(['read', 'sell'])
  expect(knownScopes('write')).toEqual([])
  expect([knownScopes(''), knownScopes(undefined), knownScopes(['read'])]).toEqual([[], [], []])
})

describe('a client', () => {
  test('has a name of one line and 80 letters, or that of its host', () => {
    expect(nameOf('Ledger\n\u202e  Assistant ', 'a.example')).toBe('Ledger Assistant')
    expect(nameOf('x'.repeat(90), 'a.example')).toBe('x'.repeat(80))
    expect([nameOf(' \u0000', 'a.example'), nameOf(7, 'a.example')]).toEqual(['a.example', 'a.example'])
  })

  test.each([
    ['https://a.example:8443/back', 'a.example:8443', true, false],
    ['http://localhost:4000/back', 'localhost:4000', true, true],
    ['http://127.0.0.1/back', '127.0.0.1', true, true],
    ['http://[::1]/back', '[::1]', true, true],
    ['https://localhost/back', 'localhost', true, true],
    ['http://a.example/back', 'a.example', false, true],
    ['com.example.app:/back', 'com.example.app', true, true],
  ])('that is sent back to %s is at %s', (redirectUri, host, isProtected, isLocal) => {
    expect(hostOf(redirectUri)).toBe(host)
    expect(isProtectedRedirect(redirectUri)).toBe(isProtected)
    expect(isLocalRedirect(redirectUri)).toBe(isLocal)
  })

  test('that names no address to return to is not protected', () => {
    expect(isProtectedRedirect('nowhere')).toBe(false)
  })
})
