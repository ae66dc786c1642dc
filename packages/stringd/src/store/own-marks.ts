/** Marks of the store itself, which no group asks for. */

/** The greatest id that an event ever had, or a greater one: kept when the event goes, so that none gets a smaller one. */
export const LAST_ID = 'last_event_id'

/** How far a copy to this store has come. While it is there, the store is not whole, and nobody may use it. */
export const COPY_PROGRESS = 'store_copy'

/** What a person hears who wants to use a store to which a copy was not finished. */
export const UNFINISHED_COPY =
  'A copy to this store was not finished: run the same string store copy again, which goes on where it stopped'
