const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;

/**
 * The network that an address counts for: an IPv4 address itself, and of IPv6 the first 64 bits, since a home gets
 * that many. IPv4 inside IPv6 counts as IPv4.
 */
export function networkOf(address: string): string {
  return ipv4Of(address) ?? `${prefixOf(address, NETWORK_GROUPS)}::/64`;
}

/** The first 48 bits of an IPv6 address, which one customer of a hoster gets, with 65,536 networks; null for IPv4. */
export function siteOf(address: string): string | null {
  return ipv4Of(address) === null ? `${prefixOf(address, SITE_GROUPS)}::/48` : null;
}

function ipv4Of(address: string): string | null {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return address.includes(":") ? null : address;
}

function prefixOf(address: string, length: number): string {
  const [head = "", tail] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const first = head === "" ? [] : head.split(":");
  const last = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, IPV6_GROUPS - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  const prefix = groups.slice(0, length).map((group) => group.replace(/^0+(?=.)/, ""));
  return prefix.join(":");
}
