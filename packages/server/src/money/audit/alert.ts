/** Everything that a person has to look at. `docs/runbooks.md` has a section for each, under its name. */
export const alertMessages = {
  GAS_BUDGET_LOW: 'Most of the gas budget of this hour is used up',
  GAS_MONEY_MISSING: 'A sender has no gas money left',
  TRANSACTION_GIVEN_UP: 'A transaction was given up: its nonce is filled with an empty one',
  NONCES_MISSING: 'Nonces were missing and are filled with empty transactions',
  NONCE_USED_ELSEWHERE: 'A nonce of ours was used elsewhere; its intent goes out again',
  OWED_PAYMENT_REJECTED: 'A payment that the platform owes is rejected; it is tried again',
  WRONG_CHAIN: 'The node serves another chain: nothing is signed',
  NO_FINALIZED_BLOCK: 'The node names no finalized block: large payouts wait for one',
  PAYOUTS_HALTED: 'Payouts are halted: a fork is deeper than allowed',
  LOOP_FAILING: 'A loop of the money engine fails again and again',
  BOOKS_BROKEN: 'Money invariants do not hold',
  AUDIT_PASS_OVERDUE: 'The audit has not checked everything for three days',
  JOB_SET_ASIDE: 'A job was closed on chain that the books never saw funded: it is set aside',
  JOB_RESTORED: 'A job that was set aside is in the books again',
  TREASURY_CHANGED: 'The escrow has another treasury. Fees and sweeps go to the new one.',
  OPERATOR_CHANGED: 'The escrow has another operator. Nothing is sent unless it is our key.',
  ARBITER_CHANGED: 'The escrow has another arbiter. Rulings are rejected until the service is restarted.',
  ROLE_CHANGE_UNDONE: 'A fork took back a change of one of the escrow’s roles',
  PULL_UNACCOUNTED: 'A period was pulled that no pull of ours accounts for',
  WITHDRAWAL_UNCONFIRMED: 'A withdrawal’s authorization is used, but no attempt of it is confirmed yet',
} as const
export type AlertName = keyof typeof alertMessages

/** Notifies a person. Called for what the engine cannot put right by itself. */
export type Alert = (name: AlertName, details: Record<string, unknown>) => void | Promise<void>
