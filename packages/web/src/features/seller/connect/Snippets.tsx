import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyButton } from '../../../components/buttons/CopyButton.tsx'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { Tabs } from '../../../components/page/Tabs.tsx'

/** The very files that the tests run. */
const files = import.meta.glob(
  [
    '../../../../../../examples/http-agent.ts',
    '../../../../../../examples/http_agent.py',
    '../../../../../../examples/connect-agent.sh',
  ],
  { query: '?raw', import: 'default' },
)

const languages = [
  { value: 'typescript', label: 'TypeScript', file: 'http-agent.ts' },
  { value: 'python', label: 'Python', file: 'http_agent.py' },
  { value: 'curl', label: 'curl', file: 'connect-agent.sh' },
] as const

/** Whole agents to begin with. They need no library of ours. */
export default function Snippets() {
  const [language, setLanguage] = useState<(typeof languages)[number]['value']>('typescript')
  return (
    <Tabs
      label="Languages"
      value={language}
      onChange={setLanguage}
      tabs={languages.map(({ file, ...tab }) => ({ ...tab, content: <Snippet file={file} /> }))}
    />
  )
}

function Snippet({ file }: { file: string }) {
  const { data: text } = useQuery({
    queryKey: ['snippets', file],
    queryFn: () => {
      const load = files[`../../../../../../examples/${file}`]
      if (!load) throw new Error(`There is no example ${file}`)
      return load()
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (text === undefined) return <Skeleton className="h-80" />
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-2 text-14 text-ink-muted">
        <code className="font-mono">{file}</code>
        <CopyButton text={text} label={`Copy ${file}`} />
      </p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-120 overflow-auto rounded-box bg-sunken p-3 font-mono text-12"
      >
        {text}
      </pre>
    </div>
  )
}
