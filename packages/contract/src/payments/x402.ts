import { type Static, Type } from 'typebox'
import { defineEndpoint, eitherForm, twoForms } from '../base/endpoint.ts'
import { byBothSides } from '../base/key-rules.ts'
import {
  Address,
  Amount,
  DateInput,
  DateTime,
  FreeObject,
  Id,
  IdInput,
  limitQuery,
  nullableString,
  offsetQuery,
  oneOf,
  PathId,
  pageFields,
  ReportedAmount,
  TxHash,
  text,
} from '../base/shapes.ts'

export const x402Verifications = ['PENDING', 'VERIFIED', 'UNVERIFIED'] as const
export type X402Verification = (typeof x402Verifications)[number]

const verification = oneOf(x402Verifications, {
  description: 'Whether the transaction was found on chain. Only VERIFIED ones count toward reputation.',
  examples: ['VERIFIED'],
})
const logIndex = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The transfer in the transaction that proves it; null until one does.',
  examples: [3],
})
const LogIndexInput = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description:
    'Which transfer of the transaction it is: the index of its event. Needed only where one transaction pays the same agent several times.',
  examples: [3],
})
const loggedTx = Type.String({
  description: 'The transaction as it was logged.',
  examples: ['0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

export const X402Transaction = Type.Object(
  {
    id: Id,
    agentId: Type.String({ ...Id, description: 'The agent that was paid.' }),
    ownerId: Type.String({ ...Id, description: 'The owner who logged it.' }),
    txHash: loggedTx,
    amountMicroUsdc: ReportedAmount,
    chainId: Type.Integer({ examples: [8453] }),
    createdAt: DateTime,
    verification,
    logIndex,
  },
  { title: 'X402Transaction' },
)
export type X402Transaction = Static<typeof X402Transaction>

export const X402LogRecord = Type.Object(
  {
    id: Id,
    amount: ReportedAmount,
    status: Type.String({ description: 'COMPLETED.', examples: ['COMPLETED'] }),
    createdAt: DateTime,
    payerWallet: nullableString({ description: 'Null when it was logged without one.' }),
    payeeWallet: Address,
    x402TxId: loggedTx,
    serviceName: nullableString({ examples: ['Monthly reconciliation'] }),
    metadata: FreeObject,
    verification,
    logIndex,
  },
  { title: 'X402LogRecord' },
)
export type X402LogRecord = Static<typeof X402LogRecord>

const noteFields = {
  serviceName: Type.Optional(Type.String({ maxLength: 200, examples: ['Monthly reconciliation'] })),
  metadata: Type.Optional(FreeObject),
  logIndex: Type.Optional(LogIndexInput),
}

export const X402LogA = Type.Object(
  {
    agentId: IdInput,
    txHash: TxHash,
    amountMicroUsdc: Amount,
    payerWallet: Type.Optional(Address),
    payeeWallet: Type.Optional(
      Type.String({
        ...Address,
        description: 'The agent’s wallet. Sent along, it must be that of `agentId`.',
      }),
    ),
    ...noteFields,
  },
  { title: 'X402LogRequestA' },
)
export type X402LogA = Static<typeof X402LogA>

export const X402LogB = Type.Object(
  {
    payerWallet: Address,
    payeeWallet: Type.String({ ...Address, description: 'The wallet of the agent that was paid.' }),
    amount: Amount,
    x402TxId: text(200, {
      description: 'The transaction hash, or the facilitator’s id of the payment.',
      examples: ['0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    agentId: Type.Optional(
      Type.String({
        ...IdInput,
        description: 'The agent’s id. Sent along, it must be that of `payeeWallet`.',
      }),
    ),
    ...noteFields,
  },
  { title: 'X402LogRequestB' },
)
export type X402LogB = Static<typeof X402LogB>

export const logX402 = defineEndpoint({
  id: 'logX402',
  keys: byBothSides,
  method: 'POST',
  path: '/api/x402/log',
  tag: 'x402',
  summary: 'Log an x402 payment',
  description:
    'Optional: for tax records, reputation and earnings. It is taken at once and then looked up on chain. What you log for ' +
    'your own agent is among your earnings from then on, marked until the chain shows it, and in no balance. Payer and ' +
    'payee of a payment share one record: logged again by either, the same content returns 200 with it, and a `serviceName` or ' +
    '`metadata` that was not there is added; other content is a CONFLICT. What somebody else logged keeps neither of them out.',
  access: 'owner',
  rate: 'api',
  body: twoForms({
    a: X402LogA,
    b: X402LogB,
    renamed: { txHash: 'x402TxId', amountMicroUsdc: 'amount' },
  }),
  status: 201,
  otherStatuses: [200],
  response: twoForms({
    a: Type.Object({ data: X402Transaction }),
    b: Type.Object({ data: Type.Object({ transaction: X402LogRecord }) }),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: {
    body: {
      agentId: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
      txHash: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      amountMicroUsdc: '25000000',
    },
    bodyB: {
      payerWallet: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      payeeWallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      amount: '25000000',
      x402TxId: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      serviceName: 'Monthly reconciliation',
      metadata: { invoice: 'A-17' },
    },
  },
})

export const listX402Transactions = defineEndpoint({
  id: 'listX402Transactions',
  method: 'GET',
  path: '/api/x402/transactions',
  tag: 'x402',
  summary: 'List logged x402 payments',
  description:
    'Payments that you logged, or that the chain shows from or to a wallet of yours, newest first. An array and an object cannot be one ' +
    'response: without a version in `Accept` it is form B when any of `wallet`, `startDate`, `endDate` and `offset` is in the query, and ' +
    'form A otherwise. A client of form B sends `offset=0`, or asks for the v2 type.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    agentId: Type.Optional(PathId),
    wallet: Type.Optional(Type.String({ ...Address, description: 'Only payments from or to this wallet.' })),
    startDate: Type.Optional(DateInput),
    endDate: Type.Optional(DateInput),
    limit: limitQuery(50, 1000),
    offset: offsetQuery(),
  }),
  status: 200,
  response: eitherForm({
    rule: 'The object when any of `wallet`, `startDate`, `endDate` and `offset` is in the query, else the array.',
    a: Type.Object({ data: Type.Array(X402Transaction) }),
    b: Type.Object({ data: Type.Object({ transactions: Type.Array(X402LogRecord), ...pageFields }) }),
  }),
  errors: [],
})
