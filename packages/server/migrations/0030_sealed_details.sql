-- Address, phone and tax number of an owner, sealed under a key that the database never holds. What older versions wrote
-- in plain is sealed by the service, which alone has the key; the index finds it, and is empty afterwards.
alter table owners add column sealed_details text;
create index owners_plain_details on owners (id)
  where coalesce(legal_address, city, state, postal_code, country, phone_number, ein) is not null;
