import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { builtProgram } from './built-program.ts'
import { compileCache } from './service-process.ts'

const program = builtProgram('cli/src/main.ts')

export interface CliUser {
  /** A directory of its own, where key, sessions and purchases are kept. */
  home: string
  url: string
  environment?: Record<string, string>
}

export interface CliRun {
  code: number
  stdout: string
  stderr: string
}

/** How a program that starts commands by itself starts one. */
export function cliCommand(user: CliUser, args: readonly string[]) {
  return {
    command: process.execPath,
    args: [program, ...args],
    env: {
      PATH: process.env.PATH ?? '',
      ...compileCache,
      AGENT_MARKETPLACE_HOME: user.home,
      AGENT_MARKETPLACE_URL: user.url,
      ...user.environment,
    },
  }
}

/** Runs one command in a process of its own, without a terminal, as a script does. */
export async function runCli(user: CliUser, args: readonly string[], input = ''): Promise<CliRun> {
  const { command, args: all, env } = cliCommand(user, args)
  const child = spawn(command, all, { env, stdio: 'pipe' })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, stdout, stderr }
}
