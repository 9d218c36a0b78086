import {
  callOf,
  errorsOf,
  exampleValues,
  type OpenApiDocument,
  type OpenApiMedia,
  type PlacedOperation,
  responseOf,
  returnsJson,
  returnsStream,
  successStatusesOf,
} from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { CopyButton } from '../../../components/buttons/CopyButton.tsx'
import { Card, Section } from '../../../components/page/Card.tsx'
import { Tabs } from '../../../components/page/Tabs.tsx'
import { CodeBlock } from '../../../components/text/CodeBlock.tsx'
import { MarkdownParts } from '../../../components/text/MarkdownText.tsx'
import { markdownTree } from '../../../components/text/markdown-tree.ts'
import { drawOurs } from '../text/draw-ours.tsx'
import { credentialWords } from './credential-words.ts'
import { Method } from './Method.tsx'
import { Samples } from './Samples.tsx'
import { FieldLine, SchemaView } from './SchemaView.tsx'
import { TryIt } from './TryIt.tsx'

interface Props {
  document: OpenApiDocument
  operation: PlacedOperation
}

/** What a call takes, what it returns and what can go wrong. */
export function OperationView({ document, operation }: Props) {
  const [values, setValues] = useState(() => exampleValues(document, operation))
  const description = useMemo(() => markdownTree(operation.description), [operation])
  const call = callOf(document, operation, values)
  return (
    <>
      <div className="flex flex-col gap-4">
        <p className="flex items-center gap-2 rounded-box border border-line bg-surface px-4 py-2">
          <Method method={operation.method} />
          <code className="min-w-0 font-mono text-14 wrap-anywhere">{operation.path}</code>
          <span className="ml-auto">
            <CopyButton text={operation.path} label="Copy the path" />
          </span>
        </p>
        {description && <MarkdownParts tree={description} draw={drawOurs} />}
        <p className="text-14 text-ink-muted">{credentialWords(operation)}</p>
      </div>
      <Section title="Example">
        <Samples call={call} />
      </Section>
      <Parameters document={document} operation={operation} />
      <Body document={document} operation={operation} />
      <Responses document={document} operation={operation} />
      <Errors document={document} operation={operation} />
      {!returnsStream(document, operation) && (
        <TryIt document={document} operation={operation} values={values} onChange={setValues} />
      )}
    </>
  )
}

function Parameters({ document, operation: { parameters = [] } }: Props) {
  if (parameters.length === 0) return null
  return (
    <Section title="Parameters">
      <Card padding="none" className="px-4">
        <ul className="divide-y divide-line">
          {parameters.map((parameter) => (
            <li key={`${parameter.in} ${parameter.name}`} className="py-2">
              <FieldLine
                document={document}
                schema={parameter.schema}
                name={parameter.name}
                isRequired={parameter.required}
                description={parameter.description}
              />
              <p className="text-12 text-ink-faint">in the {parameter.in}</p>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

/** A body of two forms may be written in either. */
function Body({ document, operation: { requestBody } }: Props) {
  const [media] = Object.values(requestBody?.content ?? {})
  const [form, setForm] = useState('0')
  if (!media) return null
  const forms = Array.isArray(media.schema.anyOf) ? (media.schema.anyOf as Props['document'][]) : undefined
  const fields = (schema: OpenApiMedia['schema']) => (
    <Card padding="none" className="px-4">
      <SchemaView document={document} schema={schema} />
    </Card>
  )
  return (
    <Section title="Body" hint={requestBody?.required ? undefined : 'It may be left out.'}>
      {forms ? (
        <Tabs
          label="Forms"
          value={form}
          onChange={setForm}
          tabs={forms.map((schema, index) => ({
            value: String(index),
            label: index === 0 ? 'Form A' : 'Form B',
            content: fields(schema as unknown as OpenApiMedia['schema']),
          }))}
        />
      ) : (
        fields(media.schema)
      )}
    </Section>
  )
}

function Responses({ document, operation }: Props) {
  const statuses = successStatusesOf(operation)
  const [media] = statuses.slice(0, 1).map((status) => {
    const content = responseOf(document, operation, status)?.content ?? {}
    return content['application/json'] ?? Object.values(content)[0]
  })
  const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value
  return (
    <Section title="Response" hint={`Status ${statuses.join(' or ')}.`}>
      {!returnsJson(document, operation) && <p>A file, a page or a stream, not JSON.</p>}
      {example !== undefined && <CodeBlock code={JSON.stringify(example, null, 2)} language="json" />}
      {media && returnsJson(document, operation) && (
        <Card padding="none" className="px-4">
          <SchemaView document={document} schema={media.schema} />
        </Card>
      )}
    </Section>
  )
}

function Errors({ document, operation }: Props) {
  return (
    <Section title="Errors">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {errorsOf(document, operation).map(([status, code]) => (
          <li key={code} className="text-14">
            <Link
              to="/docs/$guide"
              params={{ guide: 'errors' }}
              hash={code.toLowerCase()}
              className="inline-flex min-h-8 items-center gap-1 font-mono text-12 hover:underline underline-offset-4"
            >
              <span className="text-ink-muted">{status}</span> {code}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
