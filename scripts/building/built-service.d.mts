export function builtService(options: {
  nodePath: string
  env: NodeJS.ProcessEnv
  say: (line: string) => void
}): string
