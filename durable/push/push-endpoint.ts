/** Domains that resolve on private networks or not at all (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const PRIVATE_NAMES = [
  "localhost",
  "local",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "home.arpa",
  "arpa",
  "alt",
  "onion",
  "test",
  "example",
  "invalid",
];

/**
 * Whether we may send push messages to this endpoint: https on the default port of a public host name. The
 * endpoint comes from the client, which could name any address (SSRF).
 * @param hosts.own the deployment's own URL, which is not a push service
 * @param hosts.standIn the sandbox's host, allowed in development and tests
 */
export function isPushEndpoint(
  endpoint: string,
  { own: ownUrl, standIn: sandboxHost }: { own: string; standIn: string | null },
): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, hash } = new URL(endpoint);
  if (protocol !== "https:" || port !== "" || username !== "" || password !== "" || hash !== "") return false;
  // A trailing dot names the same host.
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return host === sandboxHost || (host !== new URL(ownUrl).hostname && isPublicName(host));
}

/** The URL parser has already normalized every numeric form to a dotted IPv4 address, which this rejects. */
function isPublicName(host: string): boolean {
  if (!/^([a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/.test(host)) return false;
  return !PRIVATE_NAMES.some((name) => host.endsWith(`.${name}`));
}
