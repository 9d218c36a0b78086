import { Outlet } from '@tanstack/react-router'
import { SubNav } from '../../shell/SubNav.tsx'

const places = [
  { to: '/developers', label: 'Quick start' },
  { to: '/developers/keys', label: 'API keys' },
  { to: '/developers/webhooks', label: 'Webhooks' },
] as const

export function DevelopersLayout() {
  return (
    <>
      <SubNav label="Developers" places={places} />
      <Outlet />
    </>
  )
}
