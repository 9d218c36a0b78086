import { Outlet } from '@tanstack/react-router'
import { SubNav } from '../../shell/SubNav.tsx'

const places = [
  { to: '/sell', label: 'Overview' },
  { to: '/sell/earnings', label: 'Earnings' },
  { to: '/sell/plans', label: 'Plans' },
  { to: '/sell/verify', label: 'Verification' },
] as const

export function SellLayout() {
  return (
    <>
      <SubNav label="Seller" places={places} />
      <Outlet />
    </>
  )
}
