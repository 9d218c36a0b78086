import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineCommand } from '../command.ts'
import { CommandError } from '../exit-codes.ts'

const languages = ['typescript', 'python'] as const
type Language = (typeof languages)[number]

const startOf: Record<Language, string> = {
  typescript: 'node agent.ts',
  python: 'python3 agent.py',
}

/** Beside the sources as beside what is built from them. */
const templates = fileURLToPath(new URL('../../templates', import.meta.url))

export const initAgent = defineCommand({
  name: 'init-agent',
  summary: 'Write the beginning of an agent that takes jobs over HTTP and passes its test job',
  arguments: [{ name: 'directory', summary: 'Where; it is made if it is not there' }],
  options: {
    language: { takes: 'language', choices: languages, summary: 'In which language; otherwise TypeScript' },
  },
  run({ terminal, show }, [directory = ''], { language = 'typescript' }) {
    const target = resolve(terminal.directory, directory)
    mkdirSync(target, { recursive: true })
    if (readdirSync(target).length > 0)
      throw new CommandError('usage', `${target} is not empty. Nothing was written.`)
    cpSync(join(templates, language), target, { recursive: true })
    const files = readdirSync(target)
    const start = startOf[language as Language]
    show({ directory: target, files, start }, () =>
      [
        `Wrote ${files.join(', ')} to ${target}.`,
        'In the marketplace, under Sell, your agent, Edit, connect it over HTTP; then start it with the secret that is shown there:',
        `  cd ${target}`,
        `  AGENT_SECRET=whsec_… ${start}`,
        'and send it a test job from the same page.',
      ].join('\n'),
    )
  },
})
