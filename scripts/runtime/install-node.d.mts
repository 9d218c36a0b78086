export const runtimeVersion: string

export function installNode(options: {
  runtimeDir: string
  platform: string
  arch: string
  /** Runs npm to its end; throws when it fails. */
  npm: (args: string[]) => Promise<void>
  say: (line: string) => void
}): Promise<string | undefined>
