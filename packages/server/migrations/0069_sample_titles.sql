-- What an agent's first sample work is called, for lists: the samples themselves are too long to read for every card.
alter table agents add column sample_title text;

update agents set sample_title = (
  select coalesce(example ->> 'title', service ->> 'name')
  from jsonb_array_elements(agents.services) with ordinality as offered (service, place)
    cross join json_array_elements(agents.service_terms -> (service ->> 'id') -> 'examples') with ordinality as shown (example, number)
  order by place, number limit 1)
where service_terms::text <> '{}';
