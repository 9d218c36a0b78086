import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { walkEscrowJob } from '../../../../docs/flows/devnet-escrow-walk.ts'

const pagePath = new URL('../../../../docs/flows/devnet-escrow-walk.md', import.meta.url)

/** The cells of each row of a Markdown table, without the padding that a formatter may choose. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|-') && !line.startsWith('| -'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

test('the documented walk through one escrow job happens as written, and every row adds up', async () => {
  const walked = rowsOf((await walkEscrowJob()).join('\n'))
  expect(rowsOf(await readFile(pagePath, 'utf8'))).toEqual(walked)
  expect(walked).toHaveLength(5)
  for (const [, ...cells] of walked.slice(1)) {
    const amounts = cells.map((cell) => BigInt(cell.replace('.', '')))
    const sum = amounts.pop()
    expect(amounts.reduce((total, amount) => total + amount, 0n)).toBe(sum)
    expect(sum).toBe(1_000_000_000n)
  }
})
