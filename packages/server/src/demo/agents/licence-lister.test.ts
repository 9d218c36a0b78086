import { describe, expect, test } from 'vitest'
import { listLicences } from './licence-lister.ts'
import { MOST_RESULT_BYTES, sizeOf } from './testing/size-of.ts'

const lockfileOf = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages })

const lockfile = lockfileOf({
  '': { name: 'my-app', license: 'UNLICENSED' },
  'packages/part': { version: '1.0.0', license: 'MIT' },
  'node_modules/part': { resolved: 'packages/part', link: true },
  'node_modules/b': { version: '2.0.0', license: 'MIT' },
  'node_modules/a': { version: '1.0.0', license: 'MIT' },
  'node_modules/b/node_modules/a': { version: '0.9.0', license: { type: 'ISC' } },
  'node_modules/c/node_modules/a': { version: '1.0.0', license: 'MIT' },
  'node_modules/@x/d': { version: '3.0.0', license: '(MIT OR GPL-3.0-only)', dev: true },
  'node_modules/other': { name: 'e', version: '4.0.0' },
})

test('packages by licence, each version once, without the project and its workspaces', () => {
  expect(listLicences({ lockfile, denied: ['gpl-3.0-only '] })).toEqual({
    packages: 5,
    licences: [
      { licence: 'MIT', packages: ['a@1.0.0', 'b@2.0.0'] },
      { licence: '(MIT OR GPL-3.0-only)', packages: ['@x/d@3.0.0'] },
      { licence: 'ISC', packages: ['a@0.9.0'] },
    ],
    unknown: ['e@4.0.0'],
    denied: ['@x/d@3.0.0'],
    packagesLeftOut: 0,
    problems: [],
  })
  const withoutDev = listLicences({ lockfile, includeDev: false })
  expect([withoutDev.packages, withoutDev.denied]).toEqual([4, []])
})

test.each([
  ['', 'no JSON object'],
  ['{', 'no JSON object'],
  ['[1]', 'no JSON object'],
  ['null', 'no JSON object'],
  ['{"dependencies":{}}', 'npm 7'],
  ['{"packages":[]}', 'npm 7'],
])('%j is a problem, not an error', (text, problem) => {
  const { problems, packages } = listLicences({ lockfile: text })
  expect(problems.join()).toContain(problem)
  expect(packages).toBe(0)
})

describe('hostile lockfiles', () => {
  const many = (entry: (index: number) => [string, unknown], count = 4_000) =>
    lockfileOf(Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index))))

  test.each([
    ['thousands of packages', many((n) => [`node_modules/p${n}`, { version: '1.0.0', license: 'MIT' }])],
    ['a licence for each', many((n) => [`node_modules/p${n}`, { license: `L-${n}` }])],
    ['no licence for any', many((n) => [`node_modules/${n}`, {}])],
    [
      'a name without end',
      many((n) => [`node_modules/${'x'.repeat(75_000)}${n}`, { license: 'x'.repeat(9) }], 1),
    ],
    ['a licence without end', many((n) => [`node_modules/${n}`, { license: '('.repeat(75_000) }], 1)],
    [
      'names of the language',
      lockfileOf(JSON.parse('{"node_modules/__proto__":{"license":"MIT"},"__proto__":{}}')),
    ],
    [
      'values of other kinds',
      many((n) => [`node_modules/${n}`, [null, 1, 'x', [], { license: 7 }][n % 5]], 1_000),
    ],
    ['deep nesting', `{"packages":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['half characters', many((n) => [`node_modules/\ud800${n}`, { license: '\udc00' }])],
    ['control characters', many((n) => [`node_modules/\u0000\n${n}`, { license: '\u001b' }])],
    [
      'quotes, which JSON doubles',
      many((n) => [`node_modules/${'"'.repeat(200)}${n}`, { license: '"\\' }], 350),
    ],
  ])('%s', (_name, text) => {
    const result = listLicences({ lockfile: text, denied: ['MIT', '', '"\\'] })
    expect(sizeOf(result)).toBeLessThan(MOST_RESULT_BYTES)
    expect(JSON.stringify(result).isWellFormed()).toBe(true)
    const listed = result.licences.reduce((sum, { packages }) => sum + packages.length, result.unknown.length)
    expect(listed + result.packagesLeftOut).toBe(result.packages)
    expect(listed).toBeLessThanOrEqual(1_500)
  })
})
