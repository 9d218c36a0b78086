import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { helpOf, helpOfAll } from './help.ts'
import { parseCommand } from './parse.ts'

const named = (name: string) => {
  const command = commands.find((each) => each.name === name)
  if (!command) throw new Error(`no ${name}`)
  return command
}
const parse = (line: string) => {
  const [name = '', ...argv] = line.split(' ')
  return parseCommand(named(name), argv)
}

test('arguments, options and what is common to all commands', () => {
  expect(parse('hire 0xa Proofread --max-price 5 --yes --json --url http://x')).toEqual({
    args: ['0xa', 'Proofread'],
    values: { 'max-price': '5', yes: true },
    common: { url: 'http://x', json: true, help: undefined },
  })
  expect(parse('search fix a bug').args).toEqual(['fix', 'a', 'bug'])
  expect(parse('deliver j --attach a --attach b').values).toEqual({ attach: ['a', 'b'] })
  expect(parse('watch --help').common.help).toBe(true)
})

test.each([
  ['watch', '<job> is missing'],
  ['watch a b', '“b” is one argument too many'],
  ['jobs --status DONE', '--status is one of PENDING, IN_PROGRESS'],
  ['keys create x --scope all', '--scope is one of read, write'],
  ['completion tcsh', '<shell> is one of bash, zsh, fish'],
  ['hire --pay', "Unknown option '--pay'"],
  ['hire --max-price', "Option '--max-price <value>' argument missing"],
])('%s is refused: %s', (line, message) => {
  expect(() => parse(line)).toThrow(message)
  expect(() => parse(line)).toThrow('--help')
})

test('the help names every command, and each one names its options', () => {
  const all = helpOfAll(commands)
  for (const command of commands) {
    expect(all).toContain(`  ${command.name} `)
    for (const option of Object.keys(command.options)) expect(helpOf(command)).toContain(`--${option}`)
  }
})
