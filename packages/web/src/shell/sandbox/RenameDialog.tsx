import { type FormEvent, useState } from 'react'
import { Button } from '../../components/buttons/Button.tsx'
import { Field } from '../../components/forms/Field.tsx'
import { TextInput } from '../../components/forms/inputs.tsx'
import { Dialog } from '../../components/popups/Dialog.tsx'
import { useSession, useSessionStore } from '../../session/SessionProvider.tsx'
import { savedWallets } from '../../session/saved-wallets.ts'
import { walletName } from '../../session/wallet.ts'

/** Another name for the test wallet that is signed in. */
export default function RenameDialog({ onClose }: { onClose: () => void }) {
  const session = useSession()
  const store = useSessionStore()
  const wallet = session.status === 'signedIn' ? session.wallet : undefined
  const [name, setName] = useState(wallet ? walletName(wallet) : '')
  const rename = (event: FormEvent) => {
    event.preventDefault()
    if (!wallet || name.trim() === '') return
    savedWallets.rename(wallet.address, name)
    store.rename(name.trim())
    onClose()
  }
  return (
    <Dialog
      title="Name this wallet"
      description="The name is stored in this browser only."
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <Button look="primary" type="submit" form="rename-wallet" isDisabled={name.trim() === ''}>
          Save the name
        </Button>
      }
    >
      <form id="rename-wallet" onSubmit={rename}>
        <Field label="Name" isRequired>
          <TextInput
            autoComplete="off"
            maxLength={40}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
