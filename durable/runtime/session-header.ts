/** Of a request for a socket: the session that it is for. Of the response: `KNOWN`, or what the database's answer is confirmed with. */
export const SESSION_HEADER = "x-jornada-session";
export const KNOWN = "known";
