import { expect, test } from 'vitest'
import { headOf, writeHead } from './head.ts'

const html = `<head>
    <meta name="description" content="Built in." />
    <title>Agent Marketplace</title>
  </head>`

test('a page has its own title, description and link', () => {
  const head = writeHead(
    html,
    { ...headOf['/pricing'], path: '/pricing' } as never,
    new URL('https://market.example'),
  )
  expect(head).toContain('<title>Pricing · Agent Marketplace</title>')
  expect(head).toContain('<meta property="og:url" content="https://market.example/pricing" />')
  expect(head.match(/name="description"/g)).toHaveLength(1)
  expect(head).not.toContain('Built in.')
})

test('what a seller wrote stays text, and short', () => {
  const title = '</title><script>alert(1)</script> $& "Lark"'
  const head = writeHead(
    html,
    { title, description: 'x\n'.repeat(400), path: '/agents/0x1' },
    new URL('https://m.example'),
  )
  expect(head).not.toContain('<script>')
  expect(head).toContain('$&amp; &quot;Lark&quot;')
  expect(/name="description" content="([^"]*)"/.exec(head)?.[1]?.length).toBe(200)
})
