import { Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import { Address, Amount, DateTime, oneOf, ReportedAmount, TxHash } from '../base/shapes.ts'
import { kycStatuses, Owner } from '../owners/owners.ts'

export const MAX_CLOCK_ADVANCE_SECONDS = 31 * 24 * 3600

export const setSandboxKyc = defineEndpoint({
  id: 'setSandboxKyc',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/sandbox/kyc',
  tag: 'Sandbox',
  summary: 'Set your own verification state',
  description: 'Sets what is given and leaves the rest. Without fields it changes nothing.',
  access: 'owner',
  rate: 'api',
  sandboxOnly: true,
  body: oneForm(
    Type.Object({
      status: Type.Optional(oneOf(kycStatuses, { description: 'The new `kycStatus`.' })),
      feePaid: Type.Optional(Type.Boolean({ description: 'The new `kycFeePaid`.' })),
    }),
  ),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ owner: Owner }) })),
  errors: [],
  examples: { body: { status: 'VERIFIED', feePaid: true } },
})

export const sandboxFaucet = defineEndpoint({
  id: 'sandboxFaucet',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/sandbox/faucet',
  tag: 'Sandbox',
  summary: 'Get test USDC and gas',
  description: 'Mints test USDC to an address and gives it enough gas for a few hundred transactions.',
  access: 'public',
  rate: 'api',
  sandboxOnly: true,
  body: oneForm(Type.Object({ address: Address, amount: Amount })),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        address: Address,
        amount: ReportedAmount,
        balance: ReportedAmount,
        txHash: TxHash,
      }),
    }),
  ),
  errors: [],
  examples: { body: { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', amount: '1000000000' } },
})

export const sandboxClock = defineEndpoint({
  id: 'sandboxClock',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/sandbox/clock',
  tag: 'Sandbox',
  summary: 'Move time forward',
  description:
    'Moves chain time and business timers (deadlines, review windows, subscriptions, funding limits). First everything that ' +
    'is under way is finished; then the clock moves from one due time to the next, and what falls due runs at its own time. ' +
    'So a script needs no pauses: deliver, move 7 days, and the payment is released. Nonces, sessions and rate limits stay ' +
    'on real time. 503 when earlier work cannot be finished now.',
  access: 'public',
  rate: 'api',
  sandboxOnly: true,
  body: oneForm(
    Type.Object({
      advanceSeconds: Type.Integer({
        minimum: 1,
        maximum: MAX_CLOCK_ADVANCE_SECONDS,
        description: 'How far, 31 days at most.',
        examples: [604800],
      }),
    }),
  ),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        now: DateTime,
        offsetSeconds: Type.Integer({
          description: 'How far the sandbox clock is ahead of real time, in total.',
          examples: [604800],
        }),
      }),
    }),
  ),
  errors: [],
  examples: { body: { advanceSeconds: 604_800 } },
})

export const sandboxRoles = ['buyer', 'seller', 'admin', 'arbiter'] as const
export type SandboxRole = (typeof sandboxRoles)[number]

export const listSandboxWallets = defineEndpoint({
  id: 'listSandboxWallets',
  method: 'GET',
  path: '/api/sandbox/wallets',
  tag: 'Sandbox',
  summary: 'Get test wallets',
  description:
    'Wallets to try the product with, keys included: a buyer, a verified seller, an administrator, and the owners of the ' +
    'multisig that rules on disputes. The keys open nothing outside this sandbox.',
  access: 'public',
  rate: 'api',
  sandboxOnly: true,
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        wallets: Type.Array(
          Type.Object({
            role: oneOf(sandboxRoles),
            address: Address,
            privateKey: Type.String({
              ...TxHash,
              description: 'Of a wallet that exists in this sandbox alone.',
            }),
          }),
        ),
      }),
    }),
  ),
  errors: [],
})

export const resetSandbox = defineEndpoint({
  id: 'resetSandbox',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/sandbox/reset',
  tag: 'Sandbox',
  summary: 'Start the sandbox over',
  description:
    'Throws away the sandbox’s database, chain and files, and starts again from nothing, demo data included where it is ' +
    'switched on. The service is away for some seconds: `/health/ready` says when it is back. Only where both the database ' +
    'and the chain are the embedded ones.',
  access: 'public',
  rate: 'api',
  sandboxOnly: true,
  body: oneForm(
    Type.Object({
      confirm: Type.Literal('RESET', {
        description: 'So that nothing is thrown away by accident.',
        examples: ['RESET'],
      }),
    }),
  ),
  status: 202,
  response: oneForm(Type.Object({ data: Type.Object({ restarting: Type.Boolean() }) })),
  errors: [],
  examples: { body: { confirm: 'RESET' } },
})
