import { type SampleCall, type SampleLanguage, writeSample } from '../../packages/contract/src/index.ts'
import type { BlockUse } from './code-blocks.ts'

/** Runs many samples of one language in one process: each begins with nothing of the others. */
const drivers: Record<SampleLanguage, { ending: string; command: (files: string[]) => string }> = {
  curl: {
    ending: 'sh',
    command: (files) => files.map((file) => `sh ${file} > ${file}.out`).join('\n'),
  },
  sdk: { ending: 'ts', command: importAll },
  fetch: { ending: 'ts', command: importAll },
  python: {
    ending: 'py',
    command: (files) =>
      `python3 -c "import runpy\nfor file in '${files.join(' ')}'.split(): runpy.run_path(file)"`,
  },
}

function importAll(files: string[]): string {
  return `node --input-type=module -e "for (const file of '${files.join(' ')}'.split(' ')) await import('./' + file)" > out`
}

/** As blocks of a guide that has nothing but samples. */
export function samplesAsBlocks(calls: readonly SampleCall[], language: SampleLanguage): BlockUse[] {
  const { ending, command } = drivers[language]
  const files = calls.map((call) => ({ name: `${call.id}.${ending}`, code: writeSample(language, call) }))
  return [
    ...files.map((file) => ({ kind: 'file' as const, ...file })),
    { kind: 'command', code: command(files.map(({ name }) => name)) },
  ]
}
