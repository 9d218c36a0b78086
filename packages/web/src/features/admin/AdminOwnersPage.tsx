import type { RegisteredOwner } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/buttons/Button.tsx'
import { Field } from '../../components/forms/Field.tsx'
import { TextInput } from '../../components/forms/inputs.tsx'
import type { Column } from '../../components/lists/DataTable.tsx'
import { Address } from '../../components/money/Address.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { DecisionDialog } from '../../components/popups/DecisionDialog.tsx'
import { StatusBadge } from '../../components/status/StatusBadge.tsx'
import { ownersQuery } from '../../data/admin.ts'
import { shortAddress } from '../../format/address.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { PagedTable } from './PagedTable.tsx'
import { oneOf, StatusFilter } from './StatusFilter.tsx'

const statuses = { ACTIVE: 'Active', SUSPENDED: 'Suspended', DEACTIVATED: 'Deactivated' }

const columns: Column<RegisteredOwner>[] = [
  {
    key: 'name',
    header: 'Owner',
    isTitle: true,
    cell: ({ entityName, email }) => (
      <span className="flex flex-col sm:max-w-80 sm:*:truncate">
        <span title={entityName || undefined}>{entityName || 'Not registered'}</span>
        {email && (
          <span title={email} className="text-12 font-normal text-ink-muted">
            {email}
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'wallet',
    header: 'Wallet',
    cell: ({ walletAddress }) => (walletAddress ? <Address address={walletAddress} /> : 'none'),
  },
  {
    key: 'kyc',
    header: 'Verification',
    cell: ({ kycStatus }) => <StatusBadge kind="kyc" status={kycStatus} />,
  },
  {
    key: 'account',
    header: 'Account',
    cell: ({ accountStatus }) => <StatusBadge kind="account" status={accountStatus} />,
  },
  { key: 'decide', header: 'Decide', align: 'right', cell: (owner) => <Decisions owner={owner} /> },
]

/** Everyone who has signed in, newest first. */
export function AdminOwnersPage() {
  const { q = '', status } = useSearch({ from: '/admin/owners' })
  const navigate = useNavigate({ from: '/admin/owners' })
  const [typed, setTyped] = useState(q)
  const accountStatus = oneOf(statuses, status)
  const query = useInfiniteQuery(
    ownersQuery(useClient(), { ...(q && { q }), ...(accountStatus && { accountStatus }) }),
  )
  const show = (search: { q?: string; status?: string }) => navigate({ search })
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Owners" hint="Everyone who has signed in, newest first." />
      <form
        className="flex flex-wrap items-end gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          show({ ...(typed.trim() && { q: typed.trim() }), ...(accountStatus && { status: accountStatus }) })
        }}
      >
        <div className="flex items-end gap-2 max-sm:w-full">
          <div className="w-72 max-sm:flex-1">
            <Field label="Wallet, name or email" isRequired>
              <TextInput type="search" value={typed} onChange={({ target }) => setTyped(target.value)} />
            </Field>
          </div>
          <Button type="submit">Search</Button>
        </div>
        <StatusFilter
          label="Account"
          value={accountStatus}
          choices={statuses}
          everything="All accounts"
          onChange={(next) => show({ ...(q && { q }), ...(next && { status: next }) })}
        />
      </form>
      <PagedTable
        label="Owners"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{
          title: 'Nobody found',
          text: 'No owner fits this search. Try part of a name, or a whole wallet address.',
          action: (q || accountStatus) && (
            <Button
              onClick={() => {
                setTyped('')
                show({})
              }}
            >
              Show all owners
            </Button>
          ),
        }}
      />
    </div>
  )
}

function Decisions({ owner }: { owner: RegisteredOwner }) {
  const client = useClient()
  const { id, accountStatus } = owner
  const subject = owner.entityName || (owner.walletAddress ? shortAddress(owner.walletAddress) : id)
  const params = { id }
  if (accountStatus !== 'ACTIVE')
    return (
      <DecisionDialog
        verb="Reinstate"
        subject={subject}
        description="The account works again as before."
        done="The account is active again."
        decide={(reason) => client.call('reinstateOwner', { params, body: { reason } })}
      />
    )
  return (
    <span className="flex justify-end gap-2 max-sm:flex-wrap">
      <DecisionDialog
        verb="Suspend"
        subject={subject}
        description="They read and finish running jobs, but cannot start new ones or withdraw."
        done="The account is suspended."
        isDanger
        decide={(reason) => client.call('suspendOwner', { params, body: { reason } })}
      />
      <DecisionDialog
        verb="Deactivate"
        subject={subject}
        description="They can do nothing at all. Money in their agents’ wallets stays theirs."
        done="The account is deactivated."
        isDanger
        decide={(reason) => client.call('deactivateOwner', { params, body: { reason } })}
      />
    </span>
  )
}
