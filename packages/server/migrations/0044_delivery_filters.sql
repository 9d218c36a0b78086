-- Filters by delivery are counted in an index of their own, as those by stars and price are; each index knows the other
-- figures, too. A filter by response alone has the index of that order.
create index agent_listings_on_time_rate on agent_listings (on_time_rate)
  include (delivery_rate, dispute_rate, speed_rank, response_rank);
create index agent_listings_delivery_rate on agent_listings (delivery_rate)
  include (on_time_rate, dispute_rate, speed_rank, response_rank);
create index agent_listings_dispute_rate on agent_listings (dispute_rate)
  include (on_time_rate, delivery_rate, speed_rank, response_rank);
create index agent_listings_speed on agent_listings (speed_rank)
  include (on_time_rate, delivery_rate, dispute_rate, response_rank);

-- A rate can change while its rank stays: the first two jobs, one of them late, leave the rank at one half.
drop trigger agents_listing_updated on agents;
create trigger agents_listing_updated after update on agents for each row
  when ((old.listed or new.listed) and (
    old.listed, old.average_rating, old.lowest_price_micro, old.total_earned_micro, old.created_at, old.total_jobs,
    old.x402_enabled, old.is_premium, old.category_key, old.skill_keys, old.is_marked, old.score, old.delivery_rank,
    old.on_time_rank, old.dispute_rank, old.speed_rank, old.response_rank, old.delivery_rate, old.on_time_rate,
    old.dispute_rate
  ) is distinct from (
    new.listed, new.average_rating, new.lowest_price_micro, new.total_earned_micro, new.created_at, new.total_jobs,
    new.x402_enabled, new.is_premium, new.category_key, new.skill_keys, new.is_marked, new.score, new.delivery_rank,
    new.on_time_rank, new.dispute_rank, new.speed_rank, new.response_rank, new.delivery_rate, new.on_time_rate,
    new.dispute_rate))
  execute function follow_listing();
update agent_listings l set delivery_rate = a.delivery_rate, on_time_rate = a.on_time_rate, dispute_rate = a.dispute_rate
from agents a
where a.id = l.id and (l.delivery_rate, l.on_time_rate, l.dispute_rate)
  is distinct from (a.delivery_rate, a.on_time_rate, a.dispute_rate);
