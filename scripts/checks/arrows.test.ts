import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkArrows, rooms } from './arrows.ts'

const root = join(import.meta.dirname, '../..')

describe('the house as it is', () => {
  test('every import follows an arrow, and none goes in a circle', async () => {
    const { breaches, importsOf } = await checkArrows(root)
    expect(breaches).toEqual([])
    const isRoomless = (file: string) => !rooms.some(({ files }) => new RegExp(files).test(file))
    expect(
      [...importsOf.keys()].filter((file) => !/\/(testing|generated)\//.test(file) && isRoomless(file)),
    ).toEqual([])
    // A checker that reads nothing finds nothing: every room has files, and their imports were seen.
    for (const { files } of rooms) {
      const counts = [...importsOf].filter(([file]) => new RegExp(files).test(file)).map(([, count]) => count)
      expect(Math.max(...counts), files).toBeGreaterThan(0)
    }
  })
})

describe('what is planted is found', () => {
  let house: string
  afterEach(() => rmSync(house, { recursive: true }))

  async function check(files: Record<string, string>) {
    house = realpathSync(mkdtempSync(join(tmpdir(), 'arrows-')))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(house, path)), { recursive: true })
      writeFileSync(join(house, path), text)
    }
    const present = new Set(Object.keys(files).map((path) => path.split('/')[1] ?? ''))
    const { breaches } = await checkArrows(house, [...present])
    return breaches.map(({ file, imports, rule }) => `${file} -> ${imports} (${rule.split(' ')[0]})`).sort()
  }

  const packagesWithSource = ['contract', 'chain', 'sdk', 'server', 'web']
  test.each(packagesWithSource)(
    'a circle of types over three files in %s',

    async (name) => {
      const at = `packages/${name}/src/${name === 'server' ? 'platform/' : ''}`
      const found = await check({
        [`${at}a.ts`]: "import type { B } from './b.ts'\nexport type A = B | 0\n",
        [`${at}b.ts`]: "export type { C as B } from './c.ts'\n",
        [`${at}c.ts`]: "import type { A } from './a.ts'\nexport type C = A | 1\n",
      })
      // A circle is reported once, where it was first entered.
      expect(found).toEqual([`${at}a.ts -> ${at}b.ts (circle)`])
    },
  )

  test('upward imports, another feature, demo data in the adapters', async () => {
    const server = 'packages/server/src'
    const web = 'packages/web/src'
    const found = await check({
      [`${server}/app.ts`]: 'export type App = 1\n',
      [`${server}/adapters.ts`]: "import './demo/span.ts'\n",
      [`${server}/demo/span.ts`]: 'export const weeks = 12\n',
      [`${server}/platform/db/up.ts`]: "import type { App } from '../../app.ts'\nexport type Up = App\n",
      [`${server}/money/up.ts`]: "export { y } from '../features/agents/store.ts'\n",
      [`${server}/features/agents/store.ts`]: 'export const y = 1\n',
      [`${server}/features/jobs/service.ts`]:
        "import { y } from '../agents/store.ts'\nimport './rules.ts'\nexport const lazy = () => import('../agents/store.ts')\nexport { y }\n",
      [`${server}/features/jobs/rules.ts`]: "import 'node:fs'\n",
      [`${server}/features/jobs/testing/world.ts`]: "import '../../agents/store.ts'\n",
      [`${web}/components/up.tsx`]: "import { page } from '../features/jobs/page.tsx'\nexport { page }\n",
      [`${web}/features/jobs/page.tsx`]: 'export const page = <p>job</p>\n',
    })
    expect(found).toEqual([
      `${server}/adapters.ts -> ${server}/demo/span.ts (arrow)`,
      `${server}/features/jobs/service.ts -> ${server}/features/agents/store.ts (arrow)`,
      `${server}/money/up.ts -> ${server}/features/agents/store.ts (arrow)`,
      `${server}/platform/db/up.ts -> ${server}/app.ts (arrow)`,
      `${web}/components/up.tsx -> ${web}/features/jobs/page.tsx (arrow)`,
    ])
  })

  test('what a browser cannot load, behind what pages load of the chain', async () => {
    const chain = 'packages/chain/src'
    const found = await check({
      [`${chain}/events.ts`]: "export { outcomeAt } from './escrowEnums.ts'\nexport * from './hash.ts'\n",
      [`${chain}/escrowEnums.ts`]: "import 'node:fs'\nexport const outcomeAt = 1\n",
      [`${chain}/hash.ts`]: "import 'node:crypto'\n",
    })
    expect(found).toEqual([
      `${chain}/escrowEnums.ts -> fs (arrow)`,
      `${chain}/events.ts -> ${chain}/hash.ts (arrow)`,
    ])
  })

  test('a library in the contract, test support in the service, a file that is not there', async () => {
    const found = await check({
      'packages/contract/src/a.ts': "import { x } from 'viem'\nexport { x }\n",
      'packages/server/src/platform/a.ts': "import './testing/b.ts'\nimport './gone.ts'\n",
      'packages/server/src/platform/testing/b.ts': 'export const b = 1\n',
    })
    expect(found).toEqual([
      'packages/contract/src/a.ts -> viem (arrow)',
      'packages/contract/src/a.ts -> viem (not)',
      'packages/server/src/platform/a.ts -> ./gone.ts (arrow)',
      'packages/server/src/platform/a.ts -> ./gone.ts (not)',
      'packages/server/src/platform/a.ts -> packages/server/src/platform/testing/b.ts (test)',
    ])
  })
})
