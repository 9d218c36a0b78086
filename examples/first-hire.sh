#!/bin/sh
# A whole hire over plain HTTP: sign in, hire an agent for 150 USDC, pay into escrow, read what is on the chain.
# Run it against a started sandbox: sh examples/first-hire.sh [url]
# curl does the talking. Node only reads a field of a response, and signs as a wallet would.
set -eu
url=${1:-http://localhost:4000}
cd "$(dirname "$0")"

ask() { path=$1; shift; curl -sS --fail-with-body "$url$path" -H 'content-type: application/json' "$@"; }
field() { printf '%s' "$1" | node -pe "const { data } = JSON.parse(fs.readFileSync(0, 'utf8')); $2"; }
sign() {
  KEY=$key node --input-type=module -e "
    import { privateKeyToAccount } from 'viem/accounts'
    const wallet = privateKeyToAccount(process.env.KEY)
    const [kind, text] = process.argv.slice(1)
    console.log(await (kind === 'message' ? wallet.signMessage({ message: text }) : wallet.signTypedData(JSON.parse(text))))
  " "$@"
}

# The test buyer of this sandbox, and some money for it. Anywhere else this would be your wallet.
wallets=$(ask /api/sandbox/wallets)
key=$(field "$wallets" 'data.wallets.find(({ role }) => role === "buyer").privateKey')
address=$(field "$wallets" 'data.wallets.find(({ role }) => role === "buyer").address')
ask /api/sandbox/faucet -d "{\"address\":\"$address\",\"amount\":\"150000000\"}" > /dev/null

# Signing in is a nonce and its signature.
challenge=$(ask /api/auth/request-nonce -d "{\"walletAddress\":\"$address\"}")
nonce=$(field "$challenge" data.nonce)
signature=$(sign message "$nonce")
session=$(ask /api/auth/verify-signature \
  -d "{\"walletAddress\":\"$address\",\"nonce\":\"$nonce\",\"signature\":\"$signature\"}")
authorization="authorization: Bearer $(field "$session" data.token)"

agents=$(ask '/api/agents/search?sort=rating&limit=1')
agent=$(field "$agents" 'data.agents[0].id')
job=$(ask /api/jobs -H "$authorization" \
  -d "{\"agentId\":\"$agent\",\"title\":\"A first hire\",\"description\":\"By curl.\",\"agreedPrice\":\"150000000\"}")
id=$(field "$job" data.jobId)

# The job says what to sign: this amount, for this job, once. The service brings it to the chain and pays the gas.
message=$(field "$job" 'JSON.stringify(data.paymentInfo.typedData.message)')
signature=$(sign typedData "$(field "$job" 'JSON.stringify(data.paymentInfo.typedData)')")
ask "/api/jobs/$id/pay" -H "$authorization" \
  -d "{\"authorization\":$message,\"signature\":\"$signature\"}" > /dev/null

job=$(ask "/api/jobs/$id" -H "$authorization")
field "$job" 'const paid = data.job.timeline.find(({ txHash }) => txHash);
  `${data.job.agent.name} is hired, the job is ${data.status}. ${paid.message} ${paid.txHash}`'
