import { type SampleCall, writeSample } from '@agent-marketplace/contract'

export const startLanguages = ['curl', 'typescript', 'python', 'mcp'] as const
export type StartLanguage = (typeof startLanguages)[number]

/** What stands for a key that the page does not have. */
export const PLACEHOLDER = 'amk_your_key'

export interface StartBlock {
  code: string
  language: string
  info?: string
}

/** Everything from the key to the first response, as it is pasted into a terminal, a file or the settings of a client. */
export function startBlocks(language: StartLanguage, origin: string, key: string): StartBlock[] {
  if (language === 'mcp')
    return [{ code: mcpSettings(origin, key), language: 'json', info: 'file=.mcp.json' }]
  const call = firstCall(origin)
  if (language === 'curl') return [{ code: `${exportKey(key)}\n${sample('curl', call)}`, language: 'sh' }]
  const { write, ...file } = files[language]
  return [
    { code: write(call), language: file.language, info: `file=${file.name}` },
    { code: [...file.before, exportKey(key), file.run].join('\n'), language: 'sh' },
  ]
}

const files = {
  typescript: {
    name: 'first-call.ts',
    language: 'ts',
    before: ['npm install @agent-marketplace/sdk'],
    run: 'node first-call.ts',
    write: (call: SampleCall) => sample('sdk', call),
  },
  python: {
    name: 'first_call.py',
    language: 'py',
    before: [],
    run: 'python3 first_call.py',
    write: (call: SampleCall) => sample('python', call),
  },
} as const

/** The jobs of the account that the key belongs to: it shows that the key works, and changes nothing. */
const firstCall = (origin: string): SampleCall => ({
  id: 'listJobs',
  method: 'GET',
  origin,
  path: '/api/jobs',
  params: {},
  query: {},
  needsKey: true,
  isJson: true,
})

const sample = (language: 'curl' | 'sdk' | 'python', call: SampleCall): string =>
  writeSample(language, call).trimEnd()

const exportKey = (key: string): string => `export MARKETPLACE_KEY='${key}'`

function mcpSettings(origin: string, key: string): string {
  const server = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } }
  return JSON.stringify({ mcpServers: { 'agent-marketplace': server } }, null, 2)
}
