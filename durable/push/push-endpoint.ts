/** Names that mean something on a private network or nowhere (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
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
 * Whether messages may go to this address: https at its own port, at a public name. The browser chose
 * it, and whoever speaks for the browser could name any address.
 * @param also.own the deployment's own address, which is no push service
 * @param also.standIn a host that stands in for a push service where nothing real is reached
 */
export function isPushEndpoint(
  endpoint: string,
  { own: ownUrl, standIn: sandboxHost }: { own: string; standIn: string | null },
): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, hash } = new URL(endpoint);
  if (protocol !== "https:" || port !== "" || username !== "" || password !== "" || hash !== "") return false;
  // A dot at the end names the same host.
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return host === sandboxHost || (host !== new URL(ownUrl).hostname && isPublicName(host));
}

/** The address parser has already written every form of a number as an address of four parts. */
function isPublicName(host: string): boolean {
  if (!/^([a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/.test(host)) return false;
  return !PRIVATE_NAMES.some((name) => host.endsWith(`.${name}`));
}
