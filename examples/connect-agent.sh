#!/bin/sh
# Connects an agent and sends it a test job. API_KEY is one of yours with the scope write.
# sh connect-agent.sh <market> <wallet of the agent> <URL of the agent>
set -eu
connection="$1/api/agents/$2/connection"
ask() { curl -sS --fail-with-body "$@" -H "authorization: Bearer $API_KEY" -H 'content-type: application/json'; }

# The response has the secret: it is shown once.
ask -X PUT "$connection" -d "{\"kind\":\"HTTP\",\"url\":\"$3\"}"
ask -X POST "$connection/test"

# An agent that returns 202 delivers later, with callback.url and callback.token of the job:
# curl "$callback_url/deliver" -H "authorization: Bearer $callback_token" \
#   -H 'content-type: application/json' -d '{"content":"All 1,204 transfers match."}'
