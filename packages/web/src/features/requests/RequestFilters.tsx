import { useQuery } from '@tanstack/react-query'
import { Field } from '../../components/forms/Field.tsx'
import { Select, TextInput } from '../../components/forms/inputs.tsx'
import { useDraft } from '../../components/forms/useDraft.ts'
import { apiKeysQuery, grantsQuery } from '../../data/account/integrations.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { methods, type RequestSearch, statusChoices } from './request-search.ts'

interface RequestFiltersProps {
  search: RequestSearch
  onChange: (change: RequestSearch) => void
}

export function RequestFilters({ search, onChange }: RequestFiltersProps) {
  const client = useClient()
  const keys = useQuery(apiKeysQuery(client)).data ?? []
  const grants = useQuery(grantsQuery(client)).data ?? []
  const [requestId, setRequestId] = useDraft(search.requestId ?? '', (id) =>
    onChange({ requestId: id.trim() }),
  )
  const [path, setPath] = useDraft(search.path ?? '', (next) => onChange({ path: next.trim() }))
  return (
    <search className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[2fr_1fr_1fr_2fr_1.5fr]">
      <div className="max-lg:col-span-2">
        <Field label="Request id" hidesOptional>
          <TextInput
            type="search"
            value={requestId}
            onChange={({ target }) => setRequestId(target.value)}
            placeholder="req_…"
            maxLength={64}
            spellCheck={false}
            autoComplete="off"
          />
        </Field>
      </div>
      <Field label="Status" hidesOptional>
        <Select value={search.status ?? ''} onChange={({ target }) => onChange({ status: target.value })}>
          <option value="">All</option>
          {statusChoices.map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Method" hidesOptional>
        <Select value={search.method ?? ''} onChange={({ target }) => onChange({ method: target.value })}>
          <option value="">All</option>
          {methods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </Select>
      </Field>
      <Field label="Path begins with" hidesOptional>
        <TextInput
          type="search"
          value={path}
          onChange={({ target }) => setPath(target.value)}
          placeholder="/api/jobs"
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      <Field label="Key or app" hidesOptional>
        <Select value={search.caller ?? ''} onChange={({ target }) => onChange({ caller: target.value })}>
          <option value="">All</option>
          {keys.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {grants.map(({ id, clientName }) => (
            <option key={id} value={id}>
              {clientName} (app)
            </option>
          ))}
        </Select>
      </Field>
    </search>
  )
}
