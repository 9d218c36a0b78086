import { MAX_ALLOWED_AGENTS, SEARCH_TEXT_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import { AgentMark } from '../../components/agents/AgentMark.tsx'
import { Field } from '../../components/forms/Field.tsx'
import { TextInput } from '../../components/forms/inputs.tsx'
import { useDraft } from '../../components/forms/useDraft.ts'
import { LiveRegion } from '../../components/page/LiveRegion.tsx'
import { type AgentChoice, agentChoicesQuery } from '../../data/agents/agent-choices.ts'
import { plainError } from '../../data/connection/errors.ts'
import { shortAddress } from '../../format/address.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import type { CredentialForm } from './credential-form.ts'

const listLook = 'mt-1 divide-y divide-line rounded-box border border-line text-14'

/** Whom a program may hire, inside a form with a budget: agents are searched for, and each chosen one is a row. */
export function AgentsField() {
  const draftRef = useRef('')
  const { field, fieldState } = useController<CredentialForm, 'agents'>({
    name: 'agents',
    // A name that was written and not chosen would limit nothing.
    rules: { validate: () => draftRef.current.trim() === '' || 'Choose an agent, or clear the field.' },
  })
  const chosen = field.value
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [draft, setDraft] = useDraft(text, setText)
  draftRef.current = draft
  const found = useQuery(agentChoicesQuery(useClient(), text.trim()))
  const isFull = chosen.length >= MAX_ALLOWED_AGENTS
  const choices = found.data?.filter(({ id }) => chosen.every((agent) => agent.id !== id)) ?? []

  const change = (agents: AgentChoice[]) => {
    field.onChange(agents)
    setText('')
    input.current?.focus()
  }
  const add = (agent: AgentChoice) => change([...chosen, agent])
  /** Enter would send the form. Here it takes the first that is found for what is written. */
  const takeFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const [first] = choices
    if (first && draft === text && !isFull) add(first)
  }
  return (
    <Field
      label="Allowed agents"
      hint={isFull ? `${MAX_ALLOWED_AGENTS} at most.` : 'Find them by name, skill or wallet.'}
      error={fieldState.error?.message}
    >
      <TextInput
        ref={input}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        onKeyDown={takeFirst}
        readOnly={isFull}
        maxLength={SEARCH_TEXT_MAX_LENGTH}
        placeholder="Ledger Lark"
        autoComplete="off"
      />
      {found.isSuccess && choices.length > 0 && !isFull && (
        <ul aria-label="Agents found" className={listLook}>
          {choices.map((agent) => (
            <li key={agent.id}>
              <button
                type="button"
                onClick={() => add(agent)}
                className="flex min-h-11 w-full items-center gap-3 rounded-box px-3 text-left hover:bg-sunken"
              >
                <span className="sr-only">Add </span>
                <Face agent={agent} />
                <Plus aria-hidden className="size-4 shrink-0 text-ink-muted" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {found.isSuccess && choices.length === 0 && (
        <p className="text-14 text-ink-muted">No other agent is found by that.</p>
      )}
      {found.isError && <p className="text-14 text-danger">{plainError(found.error).title}</p>}
      <LiveRegion text={found.isSuccess ? `Agents found: ${choices.length}` : ''} />
      {chosen.length > 0 && (
        <ul aria-label="Chosen agents" className={listLook}>
          {chosen.map((agent) => (
            <li key={agent.id} className="flex items-center gap-3 pl-3">
              <Face agent={agent} />
              <button
                type="button"
                aria-label={`Remove ${agent.name}`}
                onClick={() => change(chosen.filter(({ id }) => id !== agent.id))}
                className="grid size-11 shrink-0 place-items-center rounded-box text-ink-muted hover:bg-sunken hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Field>
  )
}

function Face({ agent: { name, walletAddress, avatarUrl } }: { agent: AgentChoice }) {
  return (
    <>
      <AgentMark address={walletAddress} avatarUrl={avatarUrl} size={24} />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <code className="font-mono text-12 text-ink-muted">{shortAddress(walletAddress)}</code>
    </>
  )
}
