import { defineCommand } from '../command.ts'
import { openAccount } from '../open-marketplace.ts'

export const logout = defineCommand({
  name: 'logout',
  summary: 'End the session; the key stays where it is',
  arguments: [],
  options: {},
  async run(context) {
    await openAccount(context).logout({ signal: context.terminal.signal })
    context.show({ signedOut: true }, () => 'Signed out.')
  },
})
