import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compileCache, temporaryDirectory } from '../service/service-process.ts'
import { type BlockUse, codeBlocksOf, useOf } from './code-blocks.ts'

const root = join(import.meta.dirname, '../..')
const cli = process.env.CLI_UNDER_TEST ?? join(root, 'packages/cli/src/main.ts')

export interface GuideRun {
  code: number | null
  stdout: string
  stderr: string
}

/** Every block of a guide with what becomes of it; a block that nobody runs is an error. */
export function usesOf(markdown: string): BlockUse[] {
  const blocks = codeBlocksOf(markdown)
  const fences = markdown.match(/^\s*```/gm)?.length ?? 0
  if (fences !== 2 * blocks.length) throw new Error('a fence begins with spaces, or has no language')
  return blocks.map((block) => {
    const use = useOf(block)
    if (!use) throw new Error(`nothing runs this block: ${block.language} ${block.info}\n${block.code}`)
    return use
  })
}

/**
 * Does what a reader would do in an empty directory: saves the files and runs the commands, one after the other in one
 * shell. Where Python is missing, the commands that use it are left out.
 */
export async function runGuide(
  uses: readonly BlockUse[],
  environment: Record<string, string>,
  options: { hasPython: boolean },
): Promise<GuideRun> {
  const directory = temporaryDirectory()
  const place = (name: string) => join(directory.path, name)
  symlinkSync(join(root, 'node_modules'), place('node_modules'))
  writeFileSync(place('agent-marketplace'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`)
  chmodSync(place('agent-marketplace'), 0o755)
  for (const use of uses) if (use.kind === 'file') writeFileSync(place(use.name), use.code)
  const commands = uses.filter((use) => use.kind === 'command').map(({ code }) => code)
  const runnable = commands.filter((code) => options.hasPython || !code.includes('python3'))
  const script = ['set -eu', ...runnable.map((code, index) => `echo "command ${index + 1}:" >&2\n${code}`)]
  // A group of its own, so that whatever the commands leave running ends with them.
  const shell = spawn('sh', ['-c', script.join('\n')], {
    cwd: directory.path,
    detached: true,
    env: {
      ...compileCache,
      HOME: directory.path,
      AGENT_MARKETPLACE_HOME: directory.path,
      ...environment,
      PATH: `${directory.path}:${join(process.execPath, '..')}:${process.env.PATH}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = Promise.all([text(shell.stdout), text(shell.stderr)])
  const [code] = (await once(shell, 'exit')) as [number | null]
  try {
    process.kill(-(shell.pid ?? 0), 'SIGKILL')
  } catch {
    // Nothing was left.
  }
  const [stdout, stderr] = await printed
  directory.remove()
  return { code, stdout, stderr }
}
