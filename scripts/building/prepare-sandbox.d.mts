export function prepareSandbox(deps: {
  nodePath: string
  env: NodeJS.ProcessEnv
  /** The built service; what prepares a sandbox lies beside it. */
  service: string
  cwd: string
  signal: AbortSignal
  say: (line: string) => void
  availableBytes?: number
  /** Rejects when the signal is aborted first. */
  sleep?: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>
}): Promise<void>
