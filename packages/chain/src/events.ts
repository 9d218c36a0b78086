// A door of its own for pages that read events: it brings neither functions nor bytecode along.
export { type Outcome, outcomeAt, type Party, partyAt } from './escrowEnums.ts'
export * from './generated/events.ts'
export { safeEvents } from './safeEvents.ts'
