// Writes the table of transitions into docs/flows/job.md. A test fails while the page is stale.
// Run: node docs/flows/job.ts

import { readFileSync, writeFileSync } from 'node:fs'
import { renderTransitions } from '../../packages/server/src/features/jobs/lifecycle/moves/diagram.ts'

const page = new URL('job.md', import.meta.url)
const begin = '<!-- transitions: begin -->\n'
const end = '\n<!-- transitions: end -->'

const text = readFileSync(page, 'utf8')
const before = text.slice(0, text.indexOf(begin) + begin.length)
const after = text.slice(text.indexOf(end))
writeFileSync(page, `${before}${renderTransitions()}${after}`)
