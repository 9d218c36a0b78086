-- What stays open hangs on a key and on a plan too: every process hears of their end, as it does of a session's.
create trigger api_keys_announce after update of revoked_at on api_keys
  for each row execute function announce_session_change();
create trigger subscriptions_announce after update of status, current_period_end, access_ended_at on subscriptions
  for each row execute function announce_session_change();
