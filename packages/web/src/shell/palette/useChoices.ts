import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { toastError } from '../../components/toast.ts'
import { agentsNamedQuery } from '../../data/agents/agents-named.ts'
import { jobsQuery } from '../../data/jobs/jobs.ts'
import { setTheme } from '../../design/theme.ts'
import { useClient, useSession, useSessionStore } from '../../session/SessionProvider.tsx'
import { useSignIn } from '../../session/SignInProvider.tsx'
import { type Choice, inOrder, matching, pages } from './choices.ts'

const SHORTEST_NAME = 2
const MOST_JOBS = 6
const TYPING_MS = 150

/** What fits the query: own jobs and agents by name, pages, and what can be done anywhere. */
export function useChoices(query: string, onShowKeys: () => void): Choice[] {
  const navigate = useNavigate()
  const client = useClient()
  const actions = useActions(onShowKeys)
  const name = useSettled(query.trim())
  const isSignedIn = useSession().status === 'signedIn'
  const jobs = useInfiniteQuery({ ...jobsQuery(client, {}), enabled: isSignedIn }).data
  const isSettled = name === query.trim() && name.length >= SHORTEST_NAME
  const agents = useQuery({ ...agentsNamedQuery(client, name), enabled: isSettled }).data

  const ownJobs = query.trim() === '' ? [] : (jobs?.pages.flatMap(({ data }) => data) ?? [])
  return inOrder([
    ...matching(ownJobs, query)
      .slice(0, MOST_JOBS)
      .map(({ id, title, agent }) => ({
        id: `job ${id}`,
        group: 'Jobs' as const,
        title,
        hint: agent.name,
        run: () => navigate({ to: '/jobs/$jobId', params: { jobId: id } }),
      })),
    ...(isSettled && agents ? agents : []).map(({ walletAddress: wallet, name: title, type }) => ({
      id: `agent ${wallet}`,
      group: 'Agents' as const,
      title,
      hint: type,
      run: () => navigate({ to: '/agents/$wallet', params: { wallet } }),
    })),
    ...matching(pages, query).map(({ to, title }) => ({
      id: `page ${to}`,
      group: 'Pages' as const,
      title,
      run: () => navigate({ to }),
    })),
    ...matching(actions, query),
  ])
}

function useActions(onShowKeys: () => void): Choice[] {
  const session = useSession()
  const store = useSessionStore()
  const signIn = useSignIn()
  const action = (title: string, run: () => void): Choice => ({ id: title, group: 'Actions', title, run })
  return [
    ...(session.status === 'signedIn'
      ? [action('Switch wallet', signIn), action('Sign out', () => void store.signOut().catch(toastError))]
      : [action('Sign in', signIn)]),
    action('Use the light theme', () => setTheme('light')),
    action('Use the dark theme', () => setTheme('dark')),
    action('Use the theme of the system', () => setTheme('system')),
    action('Show the keys', onShowKeys),
  ]
}

/** What was typed, once nothing more is typed. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
