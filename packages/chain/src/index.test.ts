import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Every module that loading `entry` loads within this package, and every package it asks for. */
const importsOf = async (entry: URL, seen = new Map<string, string[]>()): Promise<Map<string, string[]>> => {
  if (seen.has(entry.href)) return seen
  const source = await readFile(entry, 'utf8')
  const specifiers = [...source.matchAll(/^(?:import|export)[^;]*?from '([^']+)'/gms)].map(
    ([, specifier = '']) => specifier,
  )
  seen.set(entry.href, specifiers)
  for (const specifier of specifiers)
    if (specifier.startsWith('.')) await importsOf(new URL(specifier, entry), seen)
  return seen
}

test('production loads neither the devnet nor its machine', async () => {
  const modules = await importsOf(new URL('./index.ts', import.meta.url))
  expect(modules.size).toBeGreaterThan(50)
  const packages = new Set([...modules.values()].flat().filter((specifier) => !specifier.startsWith('.')))
  expect(packages).toContain('viem')
  for (const name of packages) expect(name).not.toMatch(/^(hardhat|@nomicfoundation|@safe-global|solc)/)
  for (const module of modules.keys()) expect(module).not.toMatch(/\/(devnet|testing)\//)
})
