// A process for tests to kill: it starts the devnet of the given directory, sends transfers without end from several
// senders at once, and writes each hash to standard output once, and only once, the devnet has acknowledged it.
import { getNonce } from '../actions/transactions/getNonce.ts'
import { signTransaction } from '../actions/transactions/signTransaction.ts'
import { prepareTransfer } from '../actions/usdc/prepareTransfer.ts'
import { startTestDevnet, testAccount } from './startTestDevnet.ts'

const [dataDir] = process.argv.slice(2)
const { devnet, client } = await startTestDevnet(dataDir)

const sendWithoutEnd = async (index: number): Promise<never> => {
  const sender = testAccount(index)
  await devnet.faucet({ address: sender.address, amountMicro: 1_000_000n })
  const call = prepareTransfer({
    usdc: devnet.addresses.usdc,
    to: devnet.roles.treasury.address,
    amountMicro: 1n,
  })
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  for (let nonce = await getNonce(client, { address: sender.address, blockTag: 'latest' }); ; nonce += 1) {
    const { rawTransaction } = await signTransaction(sender, {
      call,
      chainId: devnet.chainId,
      nonce,
      gas: 100_000n,
      fees,
    })
    const hash = await devnet.provider.request({ method: 'eth_sendRawTransaction', params: [rawTransaction] })
    process.stdout.write(`${hash}\n`)
  }
}

await Promise.all([1, 2, 3, 4].map(sendWithoutEnd))
