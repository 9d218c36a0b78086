import { Outlet } from '@tanstack/react-router'
import { SubNav } from '../../shell/SubNav.tsx'

const places = [
  { to: '/developers', label: 'Quick start' },
  { to: '/developers/keys', label: 'API keys' },
  { to: '/developers/webhooks', label: 'Webhooks' },
  { to: '/developers/events', label: 'Events' },
  { to: '/developers/requests', label: 'Requests' },
] as const

export function DevelopersLayout() {
  return (
    <>
      <SubNav label="Developers" places={places} />
      <Outlet />
    </>
  )
}
