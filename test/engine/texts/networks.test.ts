import { expect, it } from "vitest";
import { networkOf, siteOf } from "../../../durable/texts/networks.ts";

it.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:0DB8:0001::7", "2001:db8:1:0::/64", "2001:db8:1::/48"],
  ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64", "2001:db8:0::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
  ["203.0.113.7", "203.0.113.7", null],
  ["::ffff:203.0.113.7", "203.0.113.7", null],
])("takes %s for a part of its network and its site, however it is written", (address, network, site) => {
  expect([networkOf(address), siteOf(address)]).toEqual([network, site]);
});
