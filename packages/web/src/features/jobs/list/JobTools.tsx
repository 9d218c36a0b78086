import type { JobSort, JobStatus } from '@agent-marketplace/contract'
import type { QueryOf } from '@agent-marketplace/sdk'
import { SaveButton } from '../../../components/buttons/SaveButton.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { Select } from '../../../components/forms/inputs.tsx'
import { ListTools, SearchField, SortField } from '../../../components/lists/ListTools.tsx'
import { wordLimitNote } from '../../../data/lists/searched-words.ts'
import { useNowMs } from '../../../data/platform/clock.ts'
import { dayOf } from '../../../format/day.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { sortWords, statusChoices } from './job-search.ts'

interface JobToolsProps {
  filter: QueryOf<'exportJobs'>
  q: string
  status: JobStatus | undefined
  sort: JobSort
  onChange: (change: { status?: string; q?: string; order?: string }) => void
}

/** Search, status and order; the address holds all of them. The file has every job that fits, not only those shown. */
export function JobTools({ filter, q, status, sort, onChange }: JobToolsProps) {
  const client = useClient()
  const today = dayOf(useNowMs(60_000))
  return (
    <ListTools
      actions={
        <SaveButton read={() => client.exportJobs(filter)} type="text/csv" name={`jobs-${today}.csv`}>
          Export CSV
        </SaveButton>
      }
    >
      <SearchField
        label="Search jobs"
        placeholder="Title, agent, buyer, id"
        value={q}
        onChange={(next) => onChange({ q: next })}
        noteOn={wordLimitNote}
      />
      <Field label="Status" hidesOptional>
        <Select value={status ?? ''} onChange={({ target }) => onChange({ status: target.value })}>
          <option value="">Every status</option>
          {statusChoices.map(({ status: value, word }) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </Select>
      </Field>
      <SortField words={sortWords} value={sort} onChange={(next) => onChange({ order: next })} />
    </ListTools>
  )
}
