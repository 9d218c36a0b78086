import { readFileSync } from 'node:fs'
import { allEndpoints, getConfig } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { renderErrorMarkdown } from './error-docs.ts'
import { readGuides } from './guides/read-guides.ts'
import { renderLlmsFullText } from './llms-full.ts'
import { renderLlmsText } from './llms-text.ts'

const publicUrl = new URL('https://market.example/')
const guides = () => readGuides(publicUrl)

test('llms.txt announces only what is mounted', () => {
  const text = renderLlmsText({ endpoints: [getConfig], publicUrl, guides })
  expect(text).toContain('- GET /api/config: ')
  expect(text).not.toContain('/api/jobs')
  expect(text).toContain('(https://market.example/openapi.json)')
  for (const { slug, title } of guides())
    expect(text).toContain(`- [${title}](https://market.example/docs/${slug}.md): `)
})

test('llms.txt says how to order without an account, and what stock clients need for more than 1 USDC', () => {
  const text = renderLlmsText({ endpoints: allEndpoints, publicUrl, guides })
  expect(text).toContain(
    'POST its input as JSON to https://market.example/api/agents/{wallet}/services/{serviceId}/orders',
  )
  expect(text).toContain('pay at most 1 USDC')
  expect(text).toContain('(https://market.example/.well-known/agent-card.json)')
  expect(text).toContain(
    "setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment: '100000000'",
  )
  for (const name of ['resources', 'search'])
    expect(text).toContain(`https://market.example/api/x402/facilitator/discovery/${name}`)
})

test('llms-full.txt describes every call and every error', () => {
  const text = renderLlmsFullText({ endpoints: allEndpoints, publicUrl, guides })
  for (const { method, path } of allEndpoints) expect(text).toContain(`### ${method} ${path}\n`)
  expect(text).toContain(renderErrorMarkdown())
  for (const { markdown } of guides()) expect(text).toContain(markdown)
  const [, delivering = ''] = text.split('### POST /api/jobs/{id}/callback/deliver\n')
  expect(delivering).toMatch(/^[^#]*Who may call: A connected agent, with the token of its job\./)
})

test('docs/errors.md is what the error table says now (node docs/generate-errors.ts writes it)', () => {
  const path = new URL('../../../../../docs/errors.md', import.meta.url)
  expect(readFileSync(path, 'utf8')).toBe(renderErrorMarkdown())
})
