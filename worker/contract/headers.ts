/** The request id, which every response has, so that the log shows what a driver saw. */
export const REQUEST_ID_HEADER = "x-request-id";

/** A random id of the browser, which the page names in the calls that register or pay. */
export const DEVICE_HEADER = "x-device";

/** D1's bookmark: a reader that names the last one it got reads its own writes, from any replica. */
export const BOOKMARK_HEADER = "x-d1-bookmark";
