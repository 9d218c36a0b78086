import { type Command, defineCommand } from './command.ts'
import { deliver } from './commands/deliver.ts'
import { earnings } from './commands/earnings.ts'
import { faucet } from './commands/faucet.ts'
import { hire } from './commands/hire.ts'
import { initAgent } from './commands/init-agent.ts'
import { jobs } from './commands/jobs.ts'
import { keys } from './commands/keys.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { mcp } from './commands/mcp.ts'
import { search } from './commands/search.ts'
import { show } from './commands/show.ts'
import { watch } from './commands/watch.ts'
import { type Shell, scriptOf, shells } from './completion/scripts.ts'

/** It prints what is written about all the others, so it stands with them. */
const completion = defineCommand({
  name: 'completion',
  summary: 'Print the script that completes commands in your shell',
  arguments: [{ name: 'shell', summary: 'Which shell', choices: shells }],
  options: {},
  run: ({ terminal }, [shell]) => terminal.print(scriptOf(shell as Shell, commands).trimEnd()),
})

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  login,
  logout,
  faucet,
  search,
  show,
  hire,
  jobs,
  watch,
  deliver,
  earnings,
  keys,
  mcp,
  initAgent,
  completion,
]
