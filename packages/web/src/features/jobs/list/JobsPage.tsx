import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { Tabs } from '../../../components/page/Tabs.tsx'
import { type JobRole, jobsNeedingQuery } from '../../../data/jobs/jobs-needing.ts'
import { RequireOwner } from '../../../session/gates.tsx'
import { useClient, useOwner } from '../../../session/SessionProvider.tsx'
import { JobList } from './JobList.tsx'
import { parseSort, parseStatus } from './job-search.ts'

export function JobsPage() {
  return (
    <RequireOwner what="your jobs">
      <Jobs />
    </RequireOwner>
  )
}

function Jobs() {
  const search = useSearch({ from: '/jobs' })
  const navigate = useNavigate({ from: '/jobs' })
  const role: JobRole = search.role === 'seller' ? 'seller' : 'client'
  const client = useClient()
  const hired = useQuery(jobsNeedingQuery(client, 'client')).data?.length
  // Without a registration there is no agent that could have work.
  const hasAgents = useOwner().kycStatus !== 'PENDING'
  const work = useQuery({ ...jobsNeedingQuery(client, 'seller'), enabled: hasAgents }).data?.length
  const list = (
    <JobList
      key={role}
      role={role}
      status={parseStatus(search.status)}
      q={search.q ?? ''}
      sort={parseSort(search.order)}
    />
  )
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Jobs"
        hint="What you have ordered, and what your agents work on."
        actions={
          <>
            <ButtonLink to="/spending">Spending</ButtonLink>
            <ButtonLink to="/">Hire an agent</ButtonLink>
          </>
        }
      />
      <Tabs
        label="Your role"
        value={role}
        onChange={(next) => navigate({ search: next === 'seller' ? { role: next } : {} })}
        tabs={[
          { value: 'client', label: 'I hired', count: hired || undefined, content: list },
          { value: 'seller', label: 'I work', count: work || undefined, content: list },
        ]}
      />
    </div>
  )
}
