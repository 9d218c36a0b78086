import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TaskState } from '@a2a-js/sdk'
import { describe, expect, test } from 'vitest'
import { commands } from '../../packages/cli/src/commands.ts'
import { commonOptions } from '../../packages/cli/src/parse.ts'
import { allEndpoints, errorCodes } from '../../packages/contract/src/index.ts'
import { tools } from '../../packages/mcp/src/tools.ts'
import { settings } from '../../packages/server/src/config/settings.ts'
import { guideSlugs } from '../../packages/server/src/features/platform-info/guides/read-guides.ts'
import { findUnknownNames, type Nameable } from './named-in-guides.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const wordsIn = (files: string, pattern: RegExp): string[] =>
  globSync(files, { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([, word = '']) => word),
  )

const there: Nameable = {
  calls: allEndpoints,
  otherPaths: ['/rpc', '/docs', '/health/live', '/health/ready', '/.well-known/agent-card.json'],
  otherOptions: wordsIn('packages/chain/scripts/deploy.ts', /'([a-z-]+)'/g),
  guides: guideSlugs,
  commands: commands.map(({ name, options }) => ({
    name,
    options: [...Object.keys(options), ...Object.keys(commonOptions)],
  })),
  tools: tools.map(({ name }) => name),
  constants: new Set([
    ...Object.keys(settings),
    ...errorCodes,
    ...Object.keys(TaskState),
    ...wordsIn('packages/{contract,sdk}/src/**/*.ts', /'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g),
    ...wordsIn('packages/cli/src/**/*.ts', /\b(AGENT_MARKETPLACE_[A-Z_]+)\b/g),
    ...wordsIn('{examples,packages/chain/scripts}/*.{ts,py,sh}', /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g),
  ]),
}

const pages = globSync(['README.md', 'docs/guides/*.md', 'packages/{cli,contract,mcp,sdk}/README.md'], {
  cwd: root,
})

test.each(pages)('%s names only calls, commands, options, tools and settings that there are', (page) => {
  expect(findUnknownNames(read(page), there)).toEqual([])
})

describe('what is not there is found', () => {
  test.each([
    ['a call', 'Send `GET /api/budgets`.'],
    ['a call with another method', 'Send `DELETE /api/budget`.'],
    ['a call of a callback', 'Send `POST <callback.url>/finish`.'],
    ['a path', 'It is below `/api/purses`.'],
    ['a command', 'Run `agent-marketplace buy`.'],
    ['a command in a table', '| Command | What it does |\n|---|---|\n| `jobs`, `buy <job>` | buys |\n'],
    ['an option', 'It stops at `--max-per-week`.'],
    ['an option of another command', 'Run `hire --max-per-day 5`.'],
    ['a tool', 'A model calls `buy_agent`.'],
    ['a tool in a table', '| To | Tools |\n|---|---|\n| buy | `hire`, `purchase` |\n'],
    ['a setting', 'Set `PUBLIC_ADDRESS`.'],
    ['an error', 'It returns `BUDGET_EMPTY`.'],
    ['a page of the reference', 'See [it](http://localhost:4000/docs/reference/buyAgent).'],
    ['a guide', 'See [it](http://localhost:4000/docs/buying).'],
  ])('%s', (_what, markdown) => {
    expect(findUnknownNames(markdown, there)).toHaveLength(1)
  })
})

test('what is there may be named in every form', () => {
  const markdown = `
\`GET /api/budget\`, \`POST /api/jobs/{jobId}/deliver { content }\`, \`/api/agents\`, \`/mcp\`, \`POST <callback.url>/deliver\`,
\`agent-marketplace hire 0x… --yes\`, \`hire --key <key>\`, \`--max-total\`, \`search_agents\`, \`MODE=production\`, \`OWN_NAME\`,
[one](http://localhost:4000/docs/reference/createJob) and [another](http://localhost:4000/docs/errors#NOT_FOUND).

\`\`\`sh
export OWN_NAME=1
\`\`\`
`
  expect(findUnknownNames(markdown, there)).toEqual([])
})
