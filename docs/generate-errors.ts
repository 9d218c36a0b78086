import { writeFileSync } from 'node:fs'
import { renderErrorMarkdown } from '../packages/server/src/features/platform-info/error-docs.ts'

/** Writes docs/errors.md from the error table: `node docs/generate-errors.ts`. A test fails while the file is stale. */
writeFileSync(new URL('errors.md', import.meta.url), renderErrorMarkdown())
