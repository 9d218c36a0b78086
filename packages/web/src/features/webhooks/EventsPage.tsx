import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Radio } from 'lucide-react'
import { Button } from '../../components/buttons/Button.tsx'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { Field } from '../../components/forms/Field.tsx'
import { Select } from '../../components/forms/inputs.tsx'
import { DensitySwitch } from '../../components/lists/DensitySwitch.tsx'
import { PagedRows } from '../../components/lists/PagedRows.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { eventsQuery } from '../../data/account/events.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { EventTable } from './EventTable.tsx'
import { eventGroups } from './event-groups.ts'

export function EventsPage() {
  return (
    <RequireOwner what="your events">
      <Events />
    </RequireOwner>
  )
}

const types = eventGroups.flatMap(({ events }) => events)

/** Events as programs receive them, with their deliveries. */
function Events() {
  const search = useSearch({ from: '/developers/events' })
  const navigate = useNavigate({ from: '/developers/events' })
  const type = types.find((known) => known === search.type)
  const list = useInfiniteQuery({ ...eventsQuery(useClient(), type), placeholderData: keepPreviousData })
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Events"
        hint="Everything that webhooks are sent, even if you have none. Use it to find what a program missed."
        actions={
          <>
            <DensitySwitch />
            <Button isBusy={list.isRefetching} onClick={() => list.refetch()}>
              Refresh
            </Button>
          </>
        }
      />
      <search className="sm:max-w-xs">
        <Field label="Type" hidesOptional>
          <Select
            value={type ?? ''}
            onChange={({ target }) =>
              navigate({ search: { type: target.value }, replace: true, resetScroll: false })
            }
          >
            <option value="">All types</option>
            {eventGroups.map(({ label, events }) => (
              <optgroup key={label} label={label}>
                {events.map((event) => (
                  <option key={event}>{event}</option>
                ))}
              </optgroup>
            ))}
          </Select>
        </Field>
      </search>
      <PagedRows
        list={list}
        rows={rows}
        empty={
          <EmptyState
            title={type ? `No ${type} yet` : 'No events yet'}
            icon={<Radio aria-hidden />}
            action={<ButtonLink to="/developers/webhooks">Webhooks</ButtonLink>}
          >
            Events about your jobs, agents and money appear here, with every message sent to a webhook.
          </EmptyState>
        }
      >
        {(shown) => <EventTable rows={shown} />}
      </PagedRows>
    </div>
  )
}
