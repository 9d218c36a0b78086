import { expect, test } from 'vitest'
import { createLyingNode } from './lying-node.ts'

test('two lies in a row about the same logs never come to the same list', async () => {
  const logs = [{ logIndex: 0 }]
  const node = createLyingNode(1, () => undefined)
  const said: string[] = []
  for (let count = 0; count < 1_000; count += 1) {
    said.push(JSON.stringify(await node({ method: 'eth_getLogs', params: [] }, async () => logs)))
  }
  const isFalse = (response: string | undefined): boolean => response !== JSON.stringify(logs)
  expect(said.filter(isFalse).length).toBeGreaterThan(100)
  expect(said.filter((response, index) => isFalse(response) && response === said[index - 1])).toEqual([])
})
