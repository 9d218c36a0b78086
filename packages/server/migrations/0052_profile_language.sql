-- The language of a profile: its words are stemmed by it, so that „Übersetzungen“ finds „Übersetzung“.
alter table agents add column language text not null default 'en';

-- Languages without a stemmer are searched word by word as they are written.
create function stemming_of(language text) returns regconfig language sql immutable parallel safe return
  case language
    when 'ar' then 'arabic'::regconfig
    when 'da' then 'danish'::regconfig
    when 'de' then 'german'::regconfig
    when 'en' then 'english'::regconfig
    when 'es' then 'spanish'::regconfig
    when 'fi' then 'finnish'::regconfig
    when 'fr' then 'french'::regconfig
    when 'hu' then 'hungarian'::regconfig
    when 'it' then 'italian'::regconfig
    when 'nl' then 'dutch'::regconfig
    when 'no' then 'norwegian'::regconfig
    when 'pt' then 'portuguese'::regconfig
    when 'ro' then 'romanian'::regconfig
    when 'ru' then 'russian'::regconfig
    when 'sv' then 'swedish'::regconfig
    when 'tr' then 'turkish'::regconfig
    else 'simple'::regconfig
  end;

-- A text that is not English says so with a word that nobody can write, because it begins with a blank. A query in its
-- language asks for it too: words that one language leaves out matter in another.
create function language_mark(language text) returns text language sql immutable parallel safe return ' ' || language;
create or replace function agent_terms(search tsvector, skill_keys text[]) returns table (kind text, term text)
language sql immutable parallel safe as $$
  select 'WORD', word from unnest(tsvector_to_array(search)) word where not starts_with(word, ' ')
  union all
  select distinct 'SKILL', unnest(skill_keys)
$$;

-- All words of a text in profiles of a language. Where it leaves out every one of them, nothing is asked for.
create function words_in(language text, content text) returns tsquery language sql immutable parallel safe return
  case
    when to_tsvector(stemming_of(language), content) = ''::tsvector then ''::tsquery
    else ('''' || language_mark(language) || '''')::tsquery && plainto_tsquery(stemming_of(language), content)
  end;

-- Languages that a profile has, or had, beside English. Searches look for the words in each of them.
create table search_languages (language text primary key);

create function search_words(language text, content text, weight "char") returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector(stemming_of(language), translate(
    coalesce(content, ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))), weight)
$$;

create function agent_search_text(
  language text, name text, category text, skills text[], services jsonb, service_terms json, description text
) returns tsvector language sql stable parallel safe as $$
  select search_words(language, name, 'A')
    || search_words(language, category, 'B')
    || search_words(language, array_to_string(skills, ' '), 'B')
    || search_words(language, texts_in(services, '$[*].name'), 'B')
    || search_words(language, description, 'C')
    || search_words(language, left(texts_in(service_terms::jsonb, '$.*.description'), 20000), 'C')
    || search_words(language, left(texts_in(service_terms::jsonb, '$.*.included[*]'), 20000), 'C')
    || search_words(language, left(texts_in(service_terms::jsonb, '$.*.examples[*].**'), 20000), 'D')
    || case when language = 'en' then ''::tsvector else array_to_tsvector(array[language_mark(language)]) end
$$;

create or replace function write_search_text() returns trigger language plpgsql as $$
begin
  if new.language <> 'en' then
    insert into search_languages values (new.language) on conflict do nothing;
  end if;
  new.search = agent_search_text(
    new.language, new.name, new.category, new.skills, new.services, new.service_terms, new.description);
  return new;
end $$;
drop trigger agents_search_text on agents;
create trigger agents_search_text
  before insert or update of language, name, category, skills, services, service_terms, description on agents
  for each row execute function write_search_text();
drop function agent_search_text(text, text, text[], jsonb, json, text);
drop function search_words(text, "char");
