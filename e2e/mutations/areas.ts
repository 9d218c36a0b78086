/** Rules whose tests are judged by mutations of them. The test of `x.ts` is `x.test.ts`, without a database or a chain. */
export interface Area {
  name: string
  /** How many of a hundred mutants the tests must find. */
  goal: number
  files: readonly string[]
}

const contract = (file: string): string => `packages/contract/src/${file}`
const server = (file: string): string => `packages/server/src/${file}`

export const areas: readonly Area[] = [
  { name: 'prices', goal: 100, files: [contract('money/pricing.ts')] },
  { name: 'routing', goal: 100, files: [contract('money/rails.ts')] },
  {
    name: 'money',
    goal: 80,
    files: [
      contract('money/money.ts'),
      contract('money/recourse.ts'),
      server('features/budgets/rules.ts'),
      server('features/subscriptions/pulls/schedule.ts'),
      server('features/withdrawals/rules.ts'),
      server('money/books/accounts.ts'),
      server('money/limits/guardrail-rules.ts'),
      server('ports/wallets/transfer-rules.ts'),
    ],
  },
  {
    name: 'auth',
    goal: 80,
    files: [
      server('features/api-keys/rules.ts'),
      server('features/auth/rules.ts'),
      server('features/oauth/rules.ts'),
      server('features/sessions/tokens.ts'),
      server('platform/http/access.ts'),
      server('platform/http/credential.ts'),
      server('platform/http/limits/token-guesses.ts'),
    ],
  },
  {
    name: 'quota',
    goal: 80,
    files: [
      server('features/agents/rules.ts'),
      server('features/subscriptions/rules.ts'),
      server('platform/http/limits/rate-limit.ts'),
    ],
  },
]

export const testOf = (file: string): string => file.replace(/\.ts$/, '.test.ts')
