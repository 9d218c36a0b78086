import type { Tool, ToolScope } from './tool.ts'
import * as buying from './tools/buying.ts'
import * as finding from './tools/finding.ts'
import * as following from './tools/following.ts'
import * as hiring from './tools/hiring.ts'
import * as selling from './tools/selling.ts'

/** In the order in which they are listed. */
export const tools: readonly Tool[] = [
  finding.searchAgents,
  finding.getAgent,
  finding.getService,
  hiring.hire,
  following.getJob,
  following.waitForJob,
  buying.sendMessage,
  buying.approve,
  buying.requestChanges,
  buying.dispute,
  buying.review,
  following.myJobs,
  buying.spending,
  selling.nextJob,
  selling.reportProgress,
  selling.deliver,
  selling.earnings,
]

/** What a call needs to be allowed. Nothing for tools that are open or unknown, nor where the token of an order opens it. */
export function scopeOf(name: string, args: unknown): ToolScope {
  const isOpened = typeof Object(args).token === 'string'
  return isOpened ? 'open' : (tools.find((tool) => tool.name === name)?.scope ?? 'open')
}
