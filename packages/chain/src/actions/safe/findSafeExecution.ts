import { type Address, type Hex, type Log, parseEventLogs } from 'viem'
import { safeAbi } from '../../abis.ts'
import { sentBy } from '../../chainEvent.ts'

/** How the Safe's transaction `safeTxHash` went, by the logs of the transaction that carried it; undefined when it is not among them. */
export const findSafeExecution = ({
  safe,
  safeTxHash,
  logs,
}: {
  safe: Address
  safeTxHash: Hex
  logs: Log[]
}): 'success' | 'failure' | undefined => {
  const event = parseEventLogs({ abi: safeAbi, logs: sentBy(safe, logs) }).find(
    (log) => log.args.txHash === safeTxHash,
  )
  if (event === undefined) return undefined
  return event.eventName === 'ExecutionSuccess' ? 'success' : 'failure'
}
