-- Revoking a grant asks when the last one of its client ends, and connecting again which ones it has.
create index oauth_grants_client on oauth_grants (client_id);
