import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { toastError } from '../../components/popups/toast.ts'
import { agentsNamedQuery } from '../../data/agents/agents-named.ts'
import { jobsQuery } from '../../data/jobs/jobs.ts'
import { searchedText } from '../../data/lists/searched-words.ts'
import { setTheme } from '../../design/theme.ts'
import { useClient, useSession, useSessionStore } from '../../session/SessionProvider.tsx'
import { useSignIn } from '../../session/SignInProvider.tsx'
import { adminPages, type Choice, inOrder, matching, pages } from './choices.ts'

const SHORTEST_NAME = 2
const MOST_JOBS = 6
const TYPING_MS = 150

interface Choices {
  choices: Choice[]
  /** The service has not responded yet: what is not there may still come. */
  isSearching: boolean
}

/** What fits the query: own jobs and agents, which the service searches, pages, and what can be done anywhere. */
export function useChoices(query: string, onShowKeys: () => void): Choices {
  const navigate = useNavigate()
  const client = useClient()
  const session = useSession()
  const actions = useActions(onShowKeys)
  const typed = query.trim()
  const name = useSettled(typed)
  const isSignedIn = session.status === 'signedIn'
  const isSettled = name === typed && name.length >= SHORTEST_NAME
  const jobs = useInfiniteQuery({
    ...jobsQuery(client, { q: searchedText(name) }),
    enabled: isSettled && isSignedIn,
  })
  const agents = useQuery({ ...agentsNamedQuery(client, name), enabled: isSettled })
  const isPending = agents.isPending || (isSignedIn && jobs.isPending)

  const ownJobs = jobs.data?.pages.flatMap(({ data }) => data) ?? []
  const allPages = isSignedIn && session.owner.isAdmin ? [...pages, ...adminPages] : pages
  const choices = inOrder([
    ...(isSettled ? ownJobs : []).slice(0, MOST_JOBS).map(({ id, title, agent }) => ({
      id: `job ${id}`,
      group: 'Jobs' as const,
      title,
      hint: agent.name,
      run: () => navigate({ to: '/jobs/$jobId', params: { jobId: id } }),
    })),
    ...((isSettled && agents.data) || []).map(({ walletAddress: wallet, name: title, type }) => ({
      id: `agent ${wallet}`,
      group: 'Agents' as const,
      title,
      hint: type,
      run: () => navigate({ to: '/agents/$wallet', params: { wallet } }),
    })),
    ...matching(allPages, query).map(({ to, title }) => ({
      id: `page ${to}`,
      group: 'Pages' as const,
      title,
      run: () => navigate({ to }),
    })),
    ...matching(actions, query),
  ])
  return { choices, isSearching: typed.length >= SHORTEST_NAME && (!isSettled || isPending) }
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
