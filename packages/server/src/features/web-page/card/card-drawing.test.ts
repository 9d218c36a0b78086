import { expect, onTestFinished, test } from 'vitest'
import type { Card } from './card.ts'
import { createCardDrawing } from './card-drawing.ts'

const card = (name: string): Card => ({
  name,
  walletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  category: 'finance',
  mark: { svg: '', size: 280 },
  facts: [{ label: 'From', value: '0.25 USDC' }],
})

function open() {
  const drawing = createCardDrawing()
  onTestFinished(drawing.close)
  return drawing
}

test('a card that cannot be drawn fails alone', async () => {
  const { draw } = open()
  const broken = { ...card('Broken'), facts: undefined } as unknown as Card
  const [failed, drawn] = await Promise.allSettled([draw(broken), draw(card('Whole'))])
  expect([failed, drawn.status]).toMatchObject([
    { status: 'rejected', reason: { code: 'UNAVAILABLE' } },
    'fulfilled',
  ])
})

test('those who ask for the same card at once get the same picture', async () => {
  const { draw } = open()
  const [one, other] = await Promise.all([draw(card('Lark')), draw(card('Lark'))])
  expect(one).toBe(other)
})

test('beyond 20 cards that wait, others are turned away, and the end of the service ends them all', async () => {
  const drawing = open()
  const waiting = Promise.allSettled(Array.from({ length: 20 }, (_, at) => drawing.draw(card(`Lark ${at}`))))
  await expect(drawing.draw(card('Late'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await drawing.close()
  await waiting
  await expect(drawing.draw(card('Later'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
