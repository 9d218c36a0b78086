import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { areTested, noteTested } from '../../packages/chain/scripts/tested-contracts.ts'

const chain = join(import.meta.dirname, '../../packages/chain')

test('the contracts in their present form are noted as tested', async () => {
  const advice = 'commit packages/chain/tested-contracts.json as npm run test:contracts writes it'
  expect(await areTested(), advice).toBe(true)
})

test('contracts count as tested until anything that their result depends on changes', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'tested-contracts-'))
  for (const name of [
    'contracts',
    'scripts',
    'src/generated',
    'hardhat.config.ts',
    'package.json',
    'gas-snapshot.json',
  ])
    await cp(join(chain, name), join(copy, name), { recursive: true })
  expect(await areTested(copy)).toBe(false)
  const changed = ['contracts/Escrow.sol', 'src/generated/Escrow.ts', 'hardhat.config.ts', 'package.json']
  for (const file of changed) {
    await noteTested(copy)
    expect(await areTested(copy)).toBe(true)
    await appendFile(join(copy, file), '\n')
    expect(await areTested(copy), file).toBe(false)
  }
  await noteTested(copy)
  await writeFile(join(copy, 'contracts/New.t.sol'), '')
  expect(await areTested(copy)).toBe(false)
  await rm(copy, { recursive: true })
})
