import { Outlet } from '@tanstack/react-router'
import { RequireAdmin } from '../../session/gates.tsx'
import { SubNav } from '../../shell/SubNav.tsx'

const places = [
  { to: '/admin', label: 'Overview' },
  { to: '/admin/agents', label: 'Agents' },
  { to: '/admin/disputes', label: 'Disputes' },
  { to: '/admin/aml', label: 'AML' },
  { to: '/admin/owners', label: 'Owners' },
  { to: '/admin/withdrawals', label: 'Withdrawals' },
  { to: '/admin/audit', label: 'Audit' },
  { to: '/admin/health', label: 'Health' },
] as const

/** Every page below it can take for granted that an administrator is signed in. */
export function AdminLayout() {
  return (
    <RequireAdmin what="the console">
      <SubNav label="Admin" places={places} />
      <Outlet />
    </RequireAdmin>
  )
}
