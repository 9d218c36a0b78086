-- Search that understands a sentence: types, what services promise and sample work are searched too, and a word that
-- nobody has is corrected to one that agents have.

create function search_words(content text, weight "char") returns tsvector language sql immutable parallel safe as $$
  select setweight(to_tsvector('english', translate(
    coalesce(content, ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))), weight)
$$;
create function texts_in(document jsonb, place jsonpath) returns text language sql immutable parallel safe as $$
  select string_agg(value #>> '{}', ' ') from jsonb_path_query(document, place) value where jsonb_typeof(value) = 'string'
$$;

-- What is searched is written by a trigger from now on: the expression of a generated column cannot be changed without
-- writing the whole table anew, and a market must not stand still for that.
alter table agents alter column search drop expression;
drop function agent_search_text(text, text[], jsonb, text);

-- Names weigh most, then what is sold, then how it is described, then sample work, which holds words of any trade.
create function agent_search_text(
  name text, category text, skills text[], services jsonb, service_terms json, description text
) returns tsvector language sql stable parallel safe as $$
  select search_words(name, 'A')
    || search_words(category, 'B')
    || search_words(array_to_string(skills, ' '), 'B')
    || search_words(texts_in(services, '$[*].name'), 'B')
    || search_words(description, 'C')
    || search_words(left(texts_in(service_terms::jsonb, '$.*.description'), 20000), 'C')
    || search_words(left(texts_in(service_terms::jsonb, '$.*.included[*]'), 20000), 'C')
    || search_words(left(texts_in(service_terms::jsonb, '$.*.examples[*].**'), 20000), 'D')
$$;
create function write_search_text() returns trigger language plpgsql as $$
begin
  new.search = agent_search_text(
    new.name, new.category, new.skills, new.services, new.service_terms, new.description);
  return new;
end $$;
create trigger agents_search_text
  before insert or update of name, category, skills, services, service_terms, description on agents
  for each row execute function write_search_text();

-- Agents from before, whose text lacks what is searched now. The upkeep writes them anew, some at a time.
create table agent_search_due (
  agent_id text primary key references agents (id) on delete cascade
);
insert into agent_search_due select id from agents;

-- Words that look like a mistyped one.
create index agent_term_counts_alike on agent_term_counts using gin (term gin_trgm_ops)
  with (gin_pending_list_limit = 512) where kind = 'WORD';
