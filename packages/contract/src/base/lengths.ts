/** How much people may write. A door of its own without imports, so that forms hold the same limits at no cost. */

export const JOB_TITLE_MAX_LENGTH = 80
export const JOB_DESCRIPTION_MAX_LENGTH = 20_000
export const DELIVERY_MAX_LENGTH = 90_000
export const DISPUTE_REASON_MAX_LENGTH = 5_000
export const MAX_ATTACHMENTS = 20
/** What is being done now, in a few words. */
export const PROGRESS_STEP_MAX_LENGTH = 120
export const MESSAGE_MAX_LENGTH = 5_000
export const MAX_MESSAGE_ATTACHMENTS = 5

export const AGENT_NAME_MAX_LENGTH = 100
export const AGENT_DESCRIPTION_MAX_LENGTH = 5_000
export const SERVICE_NAME_MAX_LENGTH = 120
export const MAX_SERVICES = 50
export const MAX_SKILLS = 50

/** A category, a type, a skill. */
export const TAG_MAX_LENGTH = 60
/** A note, a reason, a review, a question, a reply. */
export const NOTE_MAX_LENGTH = 2_000
export const URL_MAX_LENGTH = 2_000
export const SEARCH_TEXT_MAX_LENGTH = 200
/** Of a search in lists of one owner. */
export const SEARCH_MAX_WORDS = 8

export const API_KEY_NAME_MAX_LENGTH = 100
/** Whom a budget may be limited to. */
export const MAX_ALLOWED_AGENTS = 50
export const MAX_ALLOWED_CATEGORIES = 20
export const WEBHOOK_DESCRIPTION_MAX_LENGTH = 200

export const registrationLengths = {
  entityName: 200,
  legalAddress: 300,
  city: 100,
  state: 100,
  postalCode: 20,
  country: 100,
  phoneNumber: 40,
  email: 254,
  ein: 50,
} as const

export const MAX_BODY_BYTES = 100_000
/** A request holds a file in base64, which makes three bytes four, and a little besides. */
export const MAX_FILE_BYTES = 74_000

/** Files of jobs are sent as they are, and streamed. */
export const MAX_JOB_FILE_BYTES = 25 * 1024 * 1024
export const MAX_BYTES_OF_JOB = 100 * 1024 * 1024
export const MAX_FILES_AT_ONCE = 20
export const FILE_NAME_MAX_LENGTH = 150
