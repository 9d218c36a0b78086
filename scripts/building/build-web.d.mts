export function buildWeb(options: {
  nodePath: string
  env: NodeJS.ProcessEnv
  say: (line: string) => void
  meanwhile?: () => void
  signal?: AbortSignal
}): Promise<boolean>
