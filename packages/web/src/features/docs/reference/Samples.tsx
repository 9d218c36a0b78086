import {
  type SampleCall,
  type SampleLanguage,
  sampleLanguages,
  sampleSyntax,
  writeSample,
} from '@agent-marketplace/contract'
import { useState } from 'react'
import { Tabs } from '../../../components/page/Tabs.tsx'
import { CodeBlock } from '../../../components/text/CodeBlock.tsx'

const labels: Record<SampleLanguage, string> = {
  curl: 'curl',
  sdk: 'TypeScript, SDK',
  fetch: 'TypeScript, fetch',
  python: 'Python',
}

/** The one that was looked at last, on whichever page. */
const LANGUAGE_KEY = 'marketplace.sample'

/** The call in each language. */
export function Samples({ call }: { call: SampleCall }) {
  const [chosen, setChosen] = useState(readChoice)
  const choose = (language: SampleLanguage) => {
    localStorage.setItem(LANGUAGE_KEY, language)
    setChosen(language)
  }
  return (
    <Tabs
      label="Languages"
      value={chosen}
      onChange={choose}
      tabs={sampleLanguages.map((language) => ({
        value: language,
        label: labels[language],
        content: <CodeBlock code={writeSample(language, call).trimEnd()} language={sampleSyntax[language]} />,
      }))}
    />
  )
}

const readChoice = (): SampleLanguage => {
  const kept = localStorage.getItem(LANGUAGE_KEY)
  return sampleLanguages.find((language) => language === kept) ?? 'curl'
}
