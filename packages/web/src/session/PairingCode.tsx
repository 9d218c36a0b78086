import { Button } from '../components/buttons/Button.tsx'
import { buttonLook } from '../components/buttons/button-look.ts'
import { copyText } from '../components/buttons/copy-text.ts'
import { QrCode } from '../components/money/QrCode.tsx'
import { toastDone } from '../components/popups/toast.ts'

/** What the wallet's camera has to see; on the phone itself a link opens it. */
export function PairingCode({ uri, onCancel }: { uri: string; onCancel: () => void }) {
  const copy = async () => {
    if (await copyText(uri)) toastDone('Link copied.')
  }
  return (
    <div className="flex flex-col items-center gap-4">
      <QrCode text={uri} label="QR code to connect your wallet" />
      <p role="status" className="text-center text-ink-muted">
        Scan this code with your wallet, approve the connection there, then sign.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <a href={uri} className={buttonLook('secondary', 'regular')}>
          Open a wallet on this device
        </a>
        <Button onClick={copy}>Copy link</Button>
        <Button look="quiet" onClick={onCancel}>
          Back
        </Button>
      </div>
    </div>
  )
}
