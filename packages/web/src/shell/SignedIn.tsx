import type { Wallet } from '../session/wallet.ts'
import { AccountButton } from './AccountButton.tsx'
import { Bell } from './Bell.tsx'

/** The header's part for who is signed in. Its code waits for that: most who look around are not. */
export default function SignedIn({ wallet }: { wallet: Wallet }) {
  return (
    <>
      <Bell />
      <AccountButton wallet={wallet} />
    </>
  )
}
