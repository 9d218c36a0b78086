import { execFileSync } from 'node:child_process'

export interface Listed {
  pid: number
  parent: number
  command: string
}

/** Everything that a process has started, directly or not. */
export function startedBy(pid: number): Listed[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line): Listed[] => {
      const [, own, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return command === undefined ? [] : [{ pid: Number(own), parent: Number(parent), command }]
    })
  const childrenOf = (parent: number): Listed[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...childrenOf(one.pid)])
  return childrenOf(pid)
}

export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
