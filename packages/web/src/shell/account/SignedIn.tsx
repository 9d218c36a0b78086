import type { Wallet } from '../../session/wallet.ts'
import { Bell } from '../notifications/Bell.tsx'
import { AccountButton } from './AccountButton.tsx'

/** The header's part for who is signed in. Its code waits for that: most who look around are not. */
export default function SignedIn({ wallet }: { wallet: Wallet }) {
  return (
    <>
      <Bell />
      <AccountButton wallet={wallet} />
    </>
  )
}
