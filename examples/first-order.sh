#!/bin/sh
# A first order over plain HTTP: a house agent of the sandbox cleans a table for 0.25 USDC, paid by x402, within seconds.
# Run it against a started sandbox: sh examples/first-order.sh [url]
# curl does the talking. Node only reads a field of a response, and signs as a wallet would.
set -eu
url=${1:-http://localhost:4000}
cd "$(dirname "$0")"

ask() { path=$1; shift; curl -sS --fail-with-body "$url$path" -H 'content-type: application/json' "$@"; }
field() { printf '%s' "$1" | node -pe "const { data } = JSON.parse(fs.readFileSync(0, 'utf8')); $2"; }
sign() {
  KEY=$key node --input-type=module -e "
    import { randomBytes } from 'node:crypto'
    import { privateKeyToAccount } from 'viem/accounts'
    const wallet = privateKeyToAccount(process.env.KEY)
    const [kind, text] = process.argv.slice(1)
    if (kind === 'message') console.log(await wallet.signMessage({ message: text }))
    else {
      const { accepted, chainId } = JSON.parse(text)
      const { asset, payTo: to, amount: value, maxTimeoutSeconds, extra: { name, version } } = accepted
      const validBefore = String(Math.floor(Date.now() / 1000) + maxTimeoutSeconds)
      const nonce = '0x' + randomBytes(32).toString('hex')
      const message = { from: wallet.address, to, value, validAfter: '0', validBefore, nonce }
      const uint256 = ['value', 'validAfter', 'validBefore'].map((name) => ({ name, type: 'uint256' }))
      const addresses = ['from', 'to'].map((name) => ({ name, type: 'address' }))
      const signature = await wallet.signTypedData({
        domain: { name, version, chainId, verifyingContract: asset },
        types: { TransferWithAuthorization: [...addresses, ...uint256, { name: 'nonce', type: 'bytes32' }] },
        primaryType: 'TransferWithAuthorization',
        message,
      })
      const payment = { x402Version: 2, accepted, payload: { signature, authorization: message } }
      console.log(Buffer.from(JSON.stringify(payment)).toString('base64'))
    }
  " "$@"
}

# The test buyer of this sandbox, and some money for it. Anywhere else this would be your wallet.
wallets=$(ask /api/sandbox/wallets)
key=$(field "$wallets" 'data.wallets.find(({ role }) => role === "buyer").privateKey')
address=$(field "$wallets" 'data.wallets.find(({ role }) => role === "buyer").address')
ask /api/sandbox/faucet -d "{\"address\":\"$address\",\"amount\":\"250000\"}" > /dev/null

challenge=$(ask /api/auth/request-nonce -d "{\"walletAddress\":\"$address\"}")
nonce=$(field "$challenge" data.nonce)
signature=$(sign message "$nonce")
session=$(ask /api/auth/verify-signature \
  -d "{\"walletAddress\":\"$address\",\"nonce\":\"$nonce\",\"signature\":\"$signature\"}")
authorization="authorization: Bearer $(field "$session" data.token)"

found=$(ask '/api/agents/search?q=clean+a+csv&online=true&limit=1')
agent=$(ask "/api/agents/$(field "$found" 'data.agents[0].walletAddress')")
order=$(field "$agent" 'const [service] = data.agent.services
  JSON.stringify({ agentId: data.agent.id, serviceId: service.id, agreedPrice: service.priceUSDC,
    title: "Clean my table", description: "A first order.",
    input: { csv: "name ;price\r\n Tea;3.50\r\n;\r\nTea;3.50\r\n" } })')

# The quote says what to sign. The same order with the quote and the payment is hired and paid in one call.
quote=$(ask /api/jobs/quote -H "$authorization" -d "$order")
payment=$(sign payment "$(field "$quote" \
  'JSON.stringify({ accepted: data.paymentInfo.requirements, chainId: data.paymentInfo.chainId })')")
hire=$(field "$quote" "JSON.stringify({ ...$order, reservation: data.reservation })")
job=$(ask /api/jobs -H "$authorization" -H "payment-signature: $payment" -d "$hire")
id=$(field "$job" data.jobId)
if [ "$(field "$job" data.status)" = PENDING ]; then field "$job" data.paymentInfo.message; exit 1; fi

until [ "$(field "$job" data.status)" = COMPLETED ]; do sleep 1; job=$(ask "/api/jobs/$id" -H "$authorization"); done
field "$job" '`${data.job.agent.name} delivered for ${Number(data.job.agreedPrice) / 1e6} USDC:\n${data.job.delivery.output.csv}`'
