import type { JobDetail, JobMessage } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Card } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { TextSkeleton } from '../../../components/page/Skeleton.tsx'
import { Markdown } from '../../../components/text/Markdown.tsx'
import { StoredFile } from '../../../components/text/StoredFile.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { messagesQuery } from '../../../data/jobs/room.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { JobFileLine } from '../files/JobFileLine.tsx'
import { partyName, type Side } from '../sides.ts'
import { MessageForm } from './MessageForm.tsx'
import { ShowEarlier } from './ShowEarlier.tsx'

/** What buyer and seller write to each other. The newest is last and in sight; its height does not depend on how many there are. */
export function MessageCard({ job, sides }: { job: JobDetail; sides: readonly Side[] }) {
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-16 font-semibold">Messages</h2>
      <section
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        // Turned around, a scrolling box begins at its end and stays there.
        className="flex h-60 flex-col-reverse overflow-y-auto rounded-box bg-sunken p-4"
      >
        <Messages job={job} sides={sides} />
      </section>
      {job.allowedActions.includes('MESSAGE') && <MessageForm jobId={job.id} />}
    </Card>
  )
}

function Messages({ job, sides }: { job: JobDetail; sides: readonly Side[] }) {
  const query = useInfiniteQuery(messagesQuery(useClient(), job.id))
  const { data: messages, error, refetch } = query
  if (error && !messages) return <ErrorState error={error} onRetry={refetch} />
  if (!messages) return <TextSkeleton lines={4} />
  if (messages.length === 0) {
    return <p className="m-auto text-14 text-ink-muted">Nobody has written anything yet.</p>
  }
  return (
    <div className="mb-auto flex flex-col gap-3">
      <ShowEarlier what="messages" query={query} />
      <ol aria-label="Messages" aria-live="polite" className="flex flex-col gap-3">
        {messages.map((message) => (
          <Message
            key={message.id}
            jobId={job.id}
            message={message}
            who={partyName(job, message.from, sides)}
          />
        ))}
      </ol>
    </div>
  )
}

interface MessageProps {
  jobId: string
  message: JobMessage
  who: string
}

function Message({ jobId, message: { text, attachments, files, createdAt }, who }: MessageProps) {
  return (
    <li className="flex flex-col gap-1 rounded-box border border-line bg-surface px-4 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-14">
        <span className="font-medium wrap-anywhere">{who}</span>
        <TimeAgo at={createdAt} className="text-12 text-ink-faint" />
      </p>
      {text !== '' && <Markdown text={text} />}
      {attachments.map((uri, index) => (
        <StoredFile key={uri} uri={uri} label={`Attachment ${index + 1}`} />
      ))}
      {files.map((file) => (
        <JobFileLine key={file.id} jobId={jobId} file={file} />
      ))}
    </li>
  )
}
