import { defineCommand } from '../command.ts'
import { showOutcome } from '../jobs/show-outcome.ts'
import { openAccount } from '../open-marketplace.ts'

export const watch = defineCommand({
  name: 'watch',
  summary: 'Follow a job live until it is delivered, and print the result',
  arguments: [{ name: 'job', summary: 'The id of the job' }],
  options: {},
  run: (context, [id = '']) => showOutcome(context, openAccount(context), id),
})
