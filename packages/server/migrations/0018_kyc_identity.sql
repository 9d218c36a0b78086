-- Who an applicant said they are. Another name or type is another applicant, with a check of its own.
alter table kyc_sessions
  add column check_number integer not null default 1,
  add column entity_type text not null default '',
  add column entity_name text not null default '';
update kyc_sessions s set entity_type = coalesce(o.entity_type, ''), entity_name = coalesce(o.entity_name, '')
from owners o where o.id = s.owner_id;
alter table kyc_sessions alter column entity_type drop default, alter column entity_name drop default;
