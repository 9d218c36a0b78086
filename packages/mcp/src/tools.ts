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

const findTool = (name: string): Tool | undefined => tools.find((tool) => tool.name === name)

/** Whether the token of an order opens the call. */
const isOpened = (args: unknown): boolean => typeof Object(args).token === 'string'

/** What a call needs to be allowed. Nothing for tools that are open or unknown, nor where the token of an order opens it. */
export function scopeOf(name: string, args: unknown): ToolScope {
  return isOpened(args) ? 'open' : (findTool(name)?.scope ?? 'open')
}

/** The scopes of which a client that acts for an account needs any one; none for what everybody may do. */
export function accountScopesOf(name: string, args: unknown): readonly ToolScope[] {
  const tool = isOpened(args) ? undefined : findTool(name)
  if (!tool) return []
  return tool.accountScopes ?? (tool.scope === 'open' ? [] : [tool.scope])
}
