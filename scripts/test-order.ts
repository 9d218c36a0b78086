import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** How the paths of the longest files end, the longest first: one that begins last leaves the other workers idle. */
const longest = [
  'e2e/web/pages.test.ts',
  'e2e/start.test.ts',
  'e2e/web/dialogs.test.ts',
  'e2e/web/buyer.test.ts',
  'e2e/web/details.test.ts',
  'e2e/web/seller.test.ts',
  'e2e/web/connection.test.ts',
  'e2e/web/recourse.test.ts',
  '/fuzz.test.ts',
  'e2e/web/admin.test.ts',
  'e2e/exploits.test.ts',
  'e2e/marketplace.test.ts',
  'e2e/money-reread.test.ts',
  'e2e/web/hire-by-schema.test.ts',
  'e2e/web/recourse-choices.test.ts',
  'e2e/sdk.test.ts',
  '/request-cost.test.ts',
  'e2e/dispute-ruling.test.ts',
  'pulls/exactness.chain.test.ts',
  'money/faults.chain.test.ts',
  'money/simulation.chain.test.ts',
  'reported-payments/routes.chain.test.ts',
  'money/lies.chain.test.ts',
  'pulls/faults.chain.test.ts',
  '/table.chain.test.ts',
  'subscriptions/lifecycle.chain.test.ts',
  'jobs/chain/simulation.chain.test.ts',
  'payments/conformance.chain.test.ts',
  'sandbox/clock.chain.test.ts',
]

/** The projects in their order: a process is kept only while the next file can use it. The shortest files come last. */
const projects = ['started service', 'own process', 'shared process']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ project, moduleId }: TestSpecification): number => {
      const place = longest.findIndex((end) => moduleId.endsWith(end))
      const rank = place === -1 ? longest.length : place
      return projects.indexOf(project.name) * (longest.length + 1) + rank
    }
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
