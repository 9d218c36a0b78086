import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useConfig } from '../../data/platform/config.ts'
import { ADDRESS_PLACE, shortAddress } from '../../format/address.ts'
import { CopyButton } from '../buttons/CopyButton.tsx'

/** A wallet or contract: short, to be copied, with its page on the chain's explorer where there is one. */
export function Address({ address }: { address: string }) {
  const explorerUrl = useConfig()?.chain.explorerUrl
  return (
    <span className="inline-flex items-center gap-1 font-mono text-14 whitespace-nowrap">
      <span title={address}>{shortAddress(address)}</span>
      <CopyButton text={address} label="Copy address" />
      {explorerUrl && <Outside href={`${explorerUrl}/address/${address}`} label="Open in the explorer" />}
    </span>
  )
}

/** The place of a pending address, with its button. */
export function AddressPlace() {
  return (
    <span aria-hidden className="invisible inline-flex items-center gap-1 font-mono text-14">
      {ADDRESS_PLACE}
      <span className="size-6" />
    </span>
  )
}

const hashLook = 'underline decoration-edge underline-offset-4 hover:decoration-ink'

/** A transaction on the chain's explorer; where there is none, on this site, with the way back to its job. */
export function TxLink({ txHash, jobId }: { txHash: string; jobId?: string | undefined }) {
  const explorerUrl = useConfig()?.chain.explorerUrl
  return (
    <span className="inline-flex items-center gap-1 font-mono text-14 whitespace-nowrap">
      {explorerUrl ? (
        <a
          href={`${explorerUrl}/tx/${txHash}`}
          target="_blank"
          rel="noreferrer"
          title={txHash}
          className={hashLook}
        >
          {shortAddress(txHash)}
          <span className="sr-only"> in the explorer</span>
        </a>
      ) : (
        <Link
          to="/tx/$hash"
          params={{ hash: txHash }}
          search={jobId === undefined ? {} : { job: jobId }}
          title={txHash}
          className={hashLook}
        >
          {shortAddress(txHash)}
        </Link>
      )}
    </span>
  )
}

function Outside({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
      title={label}
      className="relative grid size-6 place-items-center rounded-[6px] text-ink-faint after:absolute after:-inset-2 hover:bg-sunken hover:text-ink"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  )
}
