import { useMemo } from 'react'
import { CopyButton } from '../buttons/CopyButton.tsx'
import { type Token, tokensOf } from './highlight.ts'

const names: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  py: 'Python',
  json: 'JSON',
  text: 'Output',
}

const looks: Record<Token['kind'], string> = {
  plain: '',
  comment: 'text-ink-faint',
  string: 'text-done',
  word: 'text-accent-ink',
}

interface CodeBlockProps {
  code: string
  language: string
  /** `file=name` where it is to be saved. */
  info?: string
}

/** Code with its language or the name of its file, to read and to copy. */
export function CodeBlock({ code, language, info = '' }: CodeBlockProps) {
  const tokens = useMemo(() => tokensOf(code, language), [code, language])
  const file = /^file=(\S+)$/.exec(info)?.[1]
  const name = file ?? names[language] ?? language
  return (
    <figure className="overflow-hidden rounded-box border border-line bg-surface">
      <figcaption className="flex items-center justify-between border-b border-line py-1.5 pr-3 pl-4 font-mono text-12 text-ink-muted">
        {name}
        {language !== 'text' && <CopyButton text={code} label={`Copy ${name}`} />}
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto px-4 py-3 font-mono text-14 -outline-offset-2 print:whitespace-pre-wrap"
      >
        <code>
          {tokens.map(({ kind, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the code does not change
            <span key={index} className={looks[kind]}>
              {text}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  )
}
