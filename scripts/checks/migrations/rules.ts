import { outlineOf } from './statements.ts'

/** Where a statement stands. */
export interface Surroundings {
  /** Statements of the file run one by one, outside a transaction. */
  isOnline: boolean
  /** The file itself makes this table, so nobody else reads or writes it yet. */
  isNew: (table: string) => boolean
}

/**
 * Whether a statement is known to hold a table's lock only for a moment, however many rows there are. Everything else is
 * taken for long: what builds an index, checks, rewrites or changes all rows, and what cannot be read here, such as `do`.
 */
export function isBrief(statement: string, { isOnline, isNew }: Surroundings): boolean {
  const outline = outlineOf(statement)
  if (always.some((pattern) => pattern.test(outline))) return true
  if (isOnline && alone.some((pattern) => pattern.test(outline))) return true
  if (/^(?:with|insert into) /.test(outline)) return insertsOnly(statement, isOnline)
  const target = targetOf(outline)
  const actions = /^alter table (?:if exists )?(?:only )?\w+ (.*)$/.exec(outline)?.[1]?.split(/, ?/) ?? []
  // By now it may have as many rows as the table that it refers to.
  if (target !== undefined && isNew(target))
    return isOnline ? !actions.some((action) => checksReference.test(action)) : !readsOthers.test(statement)
  return actions.length > 0 && actions.every((action) => briefActions.some((pattern) => pattern.test(action)))
}

export const newTableOf = (statement: string): string | undefined =>
  /^create (?:unlogged )?table (?:if not exists )?(\w+) ?\(/.exec(statement)?.[1]

/** The table that a statement locks for the rest of its transaction, which may then wait for the next one's table. */
export function lockedTableOf(statement: string): string | undefined {
  const pattern =
    /^(?:(?:alter|drop) table (?:if exists )?(?:only )?|(?:create|drop) (?:or replace )?(?:constraint )?trigger .*? on )(\w+)/
  return pattern.exec(statement)?.[1]
}

/** Processes of the version before are running, and call the table or the column by its former name. */
export const renamedTableOf = (statement: string): string | undefined =>
  /^alter table (?:if exists )?(?:only )?(\w+) rename (?!constraint )/.exec(statement)?.[1]

const always = [
  /^create (?:unlogged )?table (?:if not exists )?\w+ ?\(\)(?: partition by \w+ ?\(.*\))?$/,
  /^create (?:or replace )?(?:function|procedure|view) /,
  /^create (?:or replace )?(?:constraint )?trigger /,
  /^create (?:type|sequence|extension) /,
  /^drop (?:function|index(?! concurrently)|procedure|sequence|table|trigger|type|view) /,
  /^comment on /,
  // The columns of the key before are not null, so that no row is read.
  /^alter table \w+ drop constraint (\w+_pkey), add constraint \1 primary key using index \w+$/,
]

/** In a transaction of their own they lock nobody out, for as long as they take. */
const alone = [
  /^create (?:unique )?index concurrently /,
  /^drop index concurrently /,
  /^alter table \w+ validate constraint \w+$/,
  /^(?:analyze|vacuum) (?!full$)\w+$/,
]

/** Locks that a transaction has taken before are kept while it reads, also those on other tables. */
const readsOthers = /^update .*\b(?:from|select)\b|^delete from .*\b(?:using|select)\b/

/** A long insertion locks nobody out by itself, unless it changes other rows as well. */
const insertsOnly = (statement: string, isOnline: boolean): boolean =>
  !/\b(?:update|delete|merge)\b/.test(statement) &&
  /^with .*\binsert into |^insert into /.test(outlineOf(statement)) &&
  (isOnline || !/\b(?:select|table)\b/.test(statement))

const checksReference = /\breferences \w+(?!.* not valid$)/

function targetOf(outline: string): string | undefined {
  const pattern =
    /^(?:alter table (?:if exists )?(?:only )?|update (?:only )?|delete from |create (?:unique )?index (?!concurrently)(?:.*? )?on )(\w+)/
  return pattern.exec(outline)?.[1]
}

const type =
  '(?:bigint|boolean|bytea|date|double precision|int|integer|jsonb?|numeric|real|smallint|text|timestamptz|tsvector|uuid|varchar)(?: ?\\(\\))?(?:\\[\\])?'
/** The same for all rows, so that no row is written. */
const constant = "(?:'')(?:::\\w+(?:\\[\\])?)?|-?[\\d.]+|true|false|null|now ?\\(\\)"

const briefActions = [
  new RegExp(
    `^add (?:column )?(?:if not exists )?\\w+ ${type}(?: (?:not null )?default (?:${constant})| null)?$`,
  ),
  new RegExp(`^add (?:column )?(?:if not exists )?\\w+ ${type} default (?:${constant}) not null$`),
  /^add (?:constraint \w+ )?(?:check|foreign key) .* not valid$/,
  /^alter (?:column )?\w+ (?:set default .*|drop (?:default|not null|identity)(?: if exists)?|set statistics \d+)$/,
  /^drop /,
  /^rename /,
  /^(?:re)?set \(\)$/,
]
