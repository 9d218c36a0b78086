-- An agent that was made while another of its owner was out of lists, for work that was paid for and not delivered, stays
-- out with it: withheld_with names that other agent. What an agent owes itself is kept beside it.
alter table agents
  add column owes_too_much boolean not null default false,
  add column withheld_with text references agents (id);
update agents set owes_too_much = true where is_withheld;
create index agents_withheld_with on agents (withheld_with) where withheld_with is not null;
alter table agents add check (is_withheld = (owes_too_much or withheld_with is not null));
