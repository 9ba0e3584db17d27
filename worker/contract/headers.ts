/** The request id, which every response has, so that what a driver saw can be found in the log. */
export const REQUEST_ID_HEADER = "x-request-id";

/** A random id of the browser, which the page names in the calls that register or pay. */
export const DEVICE_HEADER = "x-device";

/** D1's bookmark: a reader that names the last one it was given reads what it wrote, from whichever replica. */
export const BOOKMARK_HEADER = "x-d1-bookmark";
