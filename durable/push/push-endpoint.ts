/**
 * The hosts of the browsers' push services: Chrome and its kin, Firefox, Edge, Safari. A host below one of these is
 * of the same service.
 */
const PUSH_SERVICES = [
  "fcm.googleapis.com",
  "push.services.mozilla.com",
  "notify.windows.com",
  "push.apple.com",
];

/**
 * Whether we may send push messages to this endpoint: https on the default port of a known push service. The
 * endpoint comes from the client, which could name any address (SSRF).
 * @param moreHosts what the deployment allows beside the known services
 */
export function isPushEndpoint(endpoint: string, moreHosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, hash } = new URL(endpoint);
  if (protocol !== "https:" || port !== "" || username !== "" || password !== "" || hash !== "") return false;
  // A trailing dot names the same host.
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return [...PUSH_SERVICES, ...moreHosts].some((known) => host === known || host.endsWith(`.${known}`));
}
