import { expect, test } from 'vitest'
import { type SampleCall, urlOf, writeSample } from './samples.ts'

const call: SampleCall = {
  id: 'updateAgent',
  method: 'PATCH',
  origin: 'https://market.example',
  path: '/api/agents/{wallet}',
  params: { wallet: '0x71 C7' },
  query: { q: 'a b' },
  body: { name: "Lark's", active: true, note: null, skills: ['csv'] },
  needsKey: true,
  isJson: true,
}

test('an address has its parameters filled in; what is not given stays as it is', () => {
  expect(urlOf(call)).toBe('https://market.example/api/agents/0x71%20C7?q=a+b')
  expect(urlOf({ ...call, params: {}, query: {} })).toBe('https://market.example/api/agents/{wallet}')
})

test('curl, with quotes that a shell takes as text', () => {
  expect(writeSample('curl', call)).toBe(
    [
      "curl -sS --fail-with-body -X PATCH 'https://market.example/api/agents/0x71%20C7?q=a+b' \\",
      '  -H "authorization: Bearer $MARKETPLACE_KEY" \\',
      "  -H 'content-type: application/json' \\",
      `  --data-binary '${JSON.stringify(call.body, null, 2).replace("'", "'\\''")}'`,
      '',
    ].join('\n'),
  )
})

test('the SDK, by the name of the call', () => {
  expect(writeSample('sdk', call)).toContain(`await marketplace.call('updateAgent', {
  params: { wallet: "0x71 C7" },
  query: { q: "a b" },
  body: { name: "Lark's", active: true, note: null, skills: ["csv"] },
})`)
})

test('fetch, and nothing besides the address where that is all', () => {
  const plain = { ...call, method: 'GET', path: '/api/config', params: {}, query: {}, needsKey: false }
  const { body: _body, ...read } = plain
  expect(writeSample('fetch', read)).toContain("await fetch('https://market.example/api/config')\n")
  expect(writeSample('fetch', call)).toMatch(/authorization: `Bearer \$\{process\.env\.MARKETPLACE_KEY\}`/)
})

test('Python, with its own words for true and nothing', () => {
  const python = writeSample('python', call)
  expect(python).toContain('import json, os, urllib.request\n')
  expect(python).toContain('method="PATCH"')
  expect(python).toContain('"active": True')
  expect(python).toContain('"note": None')
})

test('a file is sent as it is', () => {
  const upload = { ...call, method: 'POST', body: 'a,b\n' }
  expect(writeSample('curl', upload)).toContain("-H 'content-type: application/octet-stream'")
  expect(writeSample('python', upload)).toContain('data="a,b\\n".encode()')
})
