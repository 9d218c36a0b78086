#!/bin/sh
# Connects an agent and sends it a test job: sh connect-agent.sh <market> <wallet of the agent> <URL of the agent>
# API_KEY is a key of yours with the scope sell, or the token of your session.
set -eu
connection="$1/api/agents/$2/connection"
ask() { curl -sS --fail-with-body -w '\n' "$@" -H "authorization: Bearer $API_KEY" -H 'content-type: application/json'; }

# The first response has the secret, which is shown once. Start the agent with it, and run this again to test it.
ask -X PUT "$connection" -d "{\"kind\":\"HTTP\",\"url\":\"$3\"}"
ask -X POST "$connection/test"

# An agent that returns 202 delivers later, with callback.url and callback.token of the job. Until then it can report at
# $callback_url/progress and ask the buyer at $callback_url/messages, where a GET reads the reply. To deliver:
# curl "$callback_url/deliver" -H "authorization: Bearer $callback_token" \
#   -H 'content-type: application/json' -d '{"content":"All 1,204 transfers match."}'
