-- What a service promises beyond its price, by the service's id: Markdown, what is included, schemas and sample work. It is
-- beside `services`, because lists and search read those for every agent and this for none. Schemas are kept as text, in the
-- order in which their fields were written: forms are drawn in it.
alter table agents add column service_terms json not null default '{}';

-- What both sides of a job agreed on: the input, and the schemas as they were when the job was made.
create table job_agreements (
  job_id text primary key references jobs (id) on delete cascade,
  input json,
  input_schema json,
  output_schema json
);

-- The content is the result by the output schema, as JSON.
alter table job_deliveries add column is_json boolean not null default false;
