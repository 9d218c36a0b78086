import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** How the paths of the longest files end, the longest first: one that begins last leaves the other worker idle. */
const longest = [
  'e2e/web/pages.test.ts',
  'e2e/web/buyer.test.ts',
  'e2e/start.test.ts',
  'e2e/web/details.test.ts',
  'e2e/marketplace.test.ts',
  'e2e/dispute-ruling.test.ts',
  'e2e/web/connection.test.ts',
  '/fuzz.test.ts',
  '/request-cost.test.ts',
  '/simulation.chain.test.ts',
  'subscriptions/routes.chain.test.ts',
  '/table.chain.test.ts',
  '/on-chain.chain.test.ts',
  '/deployEscrow.chain.test.ts',
]

/** Files that share a process come last, one after the other: a process is kept only while the next file can use it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ project, moduleId }: TestSpecification): number => {
      if (!project.config.isolate) return longest.length + 1
      const place = longest.findIndex((end) => moduleId.endsWith(end))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
