-- Lists end with the agents that owe paid work. They are few, and found without walking over all the others.
create index agents_marked_newest on agents (created_at desc, id desc) where listed and is_marked;
