import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commands } from '../commands.ts'
import { scriptOf } from './scripts.ts'

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const line = `COMP_WORDS=(agent-marketplace ${words.map((word) => `'${word}'`).join(' ')})`
  const ask = `${line}; COMP_CWORD=${words.length}; _agent_marketplace; printf '%s\\n' "\${COMPREPLY[@]}"`
  const program = `${scriptOf('bash', commands)}\n${ask}`
  return execFileSync('bash', ['-euc', program], { encoding: 'utf8' }).trim().split('\n')
}

test.runIf(isThere('bash'))('bash completes commands, options and their values', () => {
  expect(offered('lo')).toEqual(['login', 'logout'])
  expect(offered('hire', '--m')).toEqual(['--max-price'])
  expect(offered('jobs', '--role', '')).toEqual(['client', 'seller'])
  expect(offered('completion', 'f')).toEqual(['fish'])
})

test.each(['zsh', 'fish'] as const)('%s takes its script, where it is installed', (shell) => {
  const script = scriptOf(shell, commands)
  for (const { name } of commands) expect(script).toContain(name)
  if (!isThere(shell)) return
  expect(spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
})
