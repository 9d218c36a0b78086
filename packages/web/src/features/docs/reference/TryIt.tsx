import {
  type CallValues,
  callOf,
  exampleOfParameter,
  type OpenApiDocument,
  type OpenApiParameter,
  type PlacedOperation,
  parameterKey,
  valuesIn,
} from '@agent-marketplace/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { Select, TextArea, TextInput } from '../../../components/forms/inputs.tsx'
import { Card, Section } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { Dialog } from '../../../components/popups/Dialog.tsx'
import { CodeBlock } from '../../../components/text/CodeBlock.tsx'
import { connection } from '../../../data/connection/connection.ts'
import { useSession } from '../../../session/SessionProvider.tsx'
import { riskOf, riskWords } from './risk-of.ts'
import { type CallResult, type Credential, sendCall } from './send-call.ts'

interface TryItProps {
  document: OpenApiDocument
  operation: PlacedOperation
  values: CallValues
  onChange: (values: CallValues) => void
}

/** Makes the call as it is filled in. The key that is typed here is used for it and kept nowhere. */
export function TryIt({ document, operation, values, onChange }: TryItProps) {
  const session = useSession()
  const isSignedIn = session.status === 'signedIn'
  const [key, setKey] = useState('')
  const [choice, setChoice] = useState<Credential['kind']>()
  const kind = choice ?? (operation.security.length === 0 ? 'none' : isSignedIn ? 'session' : 'key')
  const [isAsking, setIsAsking] = useState(false)
  const risk = riskOf(operation)

  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async (): Promise<CallResult> => {
      const call = callOf(document, operation, values)
      const credential = await openCredential()
      return sendCall(call, valuesIn('header', values), credential, connection.fetch)
    },
  })
  const openCredential = async (): Promise<Credential> => {
    if (kind === 'key') return { kind, key: key.trim() }
    if (kind === 'none') return { kind }
    const { data: current } = await session.client.call('getSession')
    return { kind, csrfToken: current.csrfToken }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (risk === 'reads') mutate()
    else setIsAsking(true)
  }
  const confirm = () => {
    setIsAsking(false)
    mutate()
  }
  const set = (parameter: OpenApiParameter, value: string) =>
    onChange({ ...values, parameters: { ...values.parameters, [parameterKey(parameter)]: value } })

  return (
    <Section
      title="Try it"
      hint="A call to this marketplace, from your browser. The example above follows what you enter."
    >
      <Card className="print:hidden">
        <form onSubmit={submit} className="flex flex-col gap-4">
          {operation.parameters?.map((parameter) => (
            <Field key={parameterKey(parameter)} label={parameter.name} isRequired={parameter.required}>
              <TextInput
                value={values.parameters[parameterKey(parameter)] ?? ''}
                onChange={(event) => set(parameter, event.target.value)}
                placeholder={parameter.required ? '' : exampleOfParameter(document, parameter)}
                required={parameter.required}
                autoComplete="off"
                className="font-mono text-14"
              />
            </Field>
          ))}
          {values.body !== undefined && (
            <Field label="Body" isRequired={operation.requestBody?.required ?? false}>
              <TextArea
                value={values.body}
                onChange={(event) => onChange({ ...values, body: event.target.value })}
                rows={Math.min(14, values.body.split('\n').length + 1)}
                spellCheck={false}
                className="font-mono text-14"
              />
            </Field>
          )}
          <Field label="Call it with" isRequired>
            <Select value={kind} onChange={(event) => setChoice(event.target.value as Credential['kind'])}>
              <option value="none">no account</option>
              <option value="key">an API key</option>
              {isSignedIn && <option value="session">your session here</option>}
            </Select>
          </Field>
          {kind === 'key' && (
            <Field label="API key" hint="Used for this call. This page keeps it nowhere." isRequired>
              <TextInput
                type="password"
                value={key}
                onChange={(event) => setKey(event.target.value)}
                autoComplete="off"
                required
              />
            </Field>
          )}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" isBusy={isPending}>
              {risk === 'reads' ? 'Call' : 'Call…'}
            </Button>
            {data && (
              <Button look="quiet" onClick={reset}>
                Clear
              </Button>
            )}
          </div>
        </form>
      </Card>
      {error && <ErrorState error={error} />}
      {data && <Result result={data} />}
      {risk !== 'reads' && (
        <Dialog
          title={`Call “${operation.summary}”?`}
          description={riskWords[risk]}
          isOpen={isAsking}
          onOpenChange={setIsAsking}
          actions={
            <>
              <Button onClick={() => setIsAsking(false)}>Cancel</Button>
              <Button look={risk === 'spends' ? 'danger' : 'primary'} onClick={confirm}>
                {`${operation.method} ${operation.path}`}
              </Button>
            </>
          }
        />
      )}
    </Section>
  )
}

function Result({ result: { status, requestId, text } }: { result: CallResult }) {
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="text-14">
        Status <strong>{status}</strong>
        {requestId && <span className="text-ink-muted">, request {requestId}</span>}
      </p>
      {text !== '' && <CodeBlock code={text} language="json" />}
    </div>
  )
}
