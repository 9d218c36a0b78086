import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

type Tokens = Map<string, string>

function readTokens(selector: string): Tokens {
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('\n}', start))
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]),
  )
}

const light = readTokens(':root')
const themes: [string, Tokens][] = [
  ['light', light],
  ['dark', readTokens(':root[data-theme="dark"]')],
]

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

const grounds = ['ground', 'surface', 'sunken']
const onGrounds = ['ink', 'ink-muted', 'ink-faint', 'accent-ink', 'danger']
const statuses = ['pending', 'active', 'review', 'done', 'disputed', 'cancelled']
const textPairs = [
  ...grounds.flatMap((ground) => onGrounds.map((text) => [text, ground])),
  ...grounds.flatMap((ground) => statuses.map((status) => [`status-${status}`, ground])),
  ...statuses.map((status) => [`status-${status}`, `status-${status}-soft`]),
  ...statuses.map((status) => ['ink', `status-${status}-soft`]),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-hover'],
  ['accent-ink', 'accent-soft'],
  ['ink', 'accent-soft'],
  ['on-sandbox', 'sandbox'],
  ['on-sandbox-muted', 'sandbox'],
] as [string, string][]
/** The edge of a control, the focus ring and the marks of a chart must be seen, not read. */
const shapePairs = grounds.flatMap((ground) => [
  ['edge', ground],
  ['accent', ground],
  ['star', ground],
  ['chart-1', ground],
  ['chart-2', ground],
]) as [string, string][]

describe.each(themes)('%s', (_, tokens) => {
  const ratio = (one: string, other: string) => {
    const [first, second] = [tokens.get(one), tokens.get(other)]
    if (!first || !second) throw new Error(`no colour ${first ? other : one}`)
    return contrast(first, second)
  }

  test.each(textPairs)('%s is read on %s', (text, ground) => {
    expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  test('the two colours of a chart differ without their hue', () => {
    expect(ratio('chart-1', 'chart-2')).toBeGreaterThanOrEqual(1.7)
  })

  test.each(shapePairs)('%s is seen on %s', (shape, ground) => {
    expect(ratio(shape, ground)).toBeGreaterThanOrEqual(3)
  })
})

test('both themes have the same colours', () => {
  expect([...(themes[1]?.[1].keys() ?? [])]).toEqual([...light.keys()])
})
