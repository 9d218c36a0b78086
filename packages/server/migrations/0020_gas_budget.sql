-- How much gas the service has agreed to pay in an hour, for each owner and altogether ('platform').
create table gas_budget (
  account text not null,
  hour timestamptz not null,
  gas bigint not null,
  -- When the admins were told that most of it is used up.
  alarmed_at timestamptz,
  primary key (account, hour)
);
create index gas_budget_hour on gas_budget (hour);
