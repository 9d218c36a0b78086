import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** How the paths of the longest files end, the longest first: one that begins last leaves the other workers idle. */
const longest = [
  'e2e/start.test.ts',
  'e2e/prepared-sandbox.test.ts',
  'journeys/pages.test.ts',
  'journeys/without-responses.test.ts',
  'journeys/phone-wallet.test.ts',
  'journeys/details.test.ts',
  'journeys/docs.test.ts',
  'journeys/dialogs.test.ts',
  'journeys/connection.test.ts',
  'journeys/connect-agent.test.ts',
  'journeys/passkey.test.ts',
  'journeys/buyer.test.ts',
  'e2e/http-agent.test.ts',
  'journeys/seller.test.ts',
  'journeys/hire-by-schema.test.ts',
  'journeys/lists.test.ts',
  'journeys/look.test.ts',
  'journeys/recourse.test.ts',
  'e2e/web/first-page.test.ts',
  'journeys/paper-trail.test.ts',
  'e2e/exploits.test.ts',
  'journeys/deliveries.test.ts',
  'journeys/recourse-choices.test.ts',
  'journeys/questions.test.ts',
  'journeys/job-room.test.ts',
  'e2e/sdk.test.ts',
  'e2e/large-files.test.ts',
  'e2e/a2a-agent.test.ts',
  'e2e/money-reread.test.ts',
  'e2e/stopping.test.ts',
  'e2e/web/admin.test.ts',
  'e2e/web/sign-in.test.ts',
  'e2e/sandbox-reset.test.ts',
  'e2e/marketplace.test.ts',
  'scripts/building/packages.test.ts',
  '/fuzz.test.ts',
  '/request-cost.test.ts',
  'embedded/embedded-postgres.test.ts',
  'orders/orders.chain.test.ts',
  'src/stopping.chain.test.ts',
  'connections/connections.chain.test.ts',
  'pulls/faults.chain.test.ts',
  'payments/conformance.chain.test.ts',
  'a2a/a2a-files.chain.test.ts',
  'jobs/chain/simulation.chain.test.ts',
  'a2a/a2a.chain.test.ts',
  'reputation/sybil.chain.test.ts',
  'recourse/refunds.chain.test.ts',
  'money/simulation.chain.test.ts',
  'reported-payments/routes.chain.test.ts',
  'disputes/disputes.chain.test.ts',
  'subscriptions/lifecycle.chain.test.ts',
  'lifecycle/lifecycle.chain.test.ts',
  '/table.chain.test.ts',
  'money/lies.chain.test.ts',
  'sandbox/clock.chain.test.ts',
  'money/faults.chain.test.ts',
  'books/direct-transfers.chain.test.ts',
  'mcp/mcp.chain.test.ts',
  'pulls/exactness.chain.test.ts',
  'reputation/reviews.chain.test.ts',
  'notifications/closing.test.ts',
  'lifecycle/races.chain.test.ts',
  'recourse/undelivered.chain.test.ts',
  'hiring/prepaid.chain.test.ts',
  'demo/seed-demo.chain.test.ts',
  'payment/pay.chain.test.ts',
  'devnet/createDevnet.chain.test.ts',
  'job-files/job-files.chain.test.ts',
  'budgets/budgets.chain.test.ts',
  'wallet/wallet.test.ts',
  'liveness/liveness.chain.test.ts',
  'recourse/cdp-refunds.chain.test.ts',
  'sealing/rotate-keys.chain.test.ts',
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
