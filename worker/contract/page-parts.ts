// Parts of a page that load scripts of others. The policy of a page allows them only where the page shows them, and its first
// element says so: a page that was served without one is loaded anew before it shows it.

/** In the address of a page that is to open the support chat. */
export const CHAT_PARAMETER = "chat";
/** The chat's own cookie, once the driver opened it on this device: every page brings its bubble back. */
export const CHAT_COOKIE = "cw_conversation";

/** The attribute of a page that may show the chat. */
export const CHAT_ATTRIBUTE = "data-chat";
/** The attribute of a deployment with a challenge: whether this page may show it. */
export const CHALLENGE_ATTRIBUTE = "data-challenge";
export const CHALLENGE_HERE = "here";

/** The attribute of a deployment whose own user pool signs drivers in, which takes passkeys. */
export const OWN_POOL_ATTRIBUTE = "data-own-pool";

/** The pages whose forms may ask for the challenge. */
export const CHALLENGE_PATHS: readonly string[] = ["/login", "/register", "/forgot-password"];
