import { parseArgs } from "node:util";
import { startSandbox } from "../sandbox-server.ts";
import { postJson } from "../support/sandbox-client.ts";
import { PHONE, switchOnDriver } from "./driver.ts";
import { Inbox } from "./inbox.ts";
import { readResult, verdictOn, type Published } from "./verdict.ts";
import { pause, Product } from "./product.ts";

// `npm run crash`: kills the built product at random moments, under offers that the sandbox drops all the time, and
// judges by the sandbox's log. Needs `npm run build:sandbox`.
const { values } = parseArgs({ options: { kills: { type: "string", default: "200" } } });
const kills = Number(values.kills);

const HOUR_MS = 3_600_000;
/** From one offer's start to the next one's: no two overlap, and all start within the month that is read. */
const SLOT_MS = HOUR_MS / 2;
/** An offer stays open for longer than a start takes, so that none is lost to the time that the product is down. */
const OPEN_MS = 180_000;
const SETTLE_MS = 60_000;

const sandbox = await startSandbox();
const product = await Product.prepare(sandbox.url);
process.once("SIGINT", () => void stop(130));
try {
  await product.start();
  const { client, warehouseId } = await switchOnDriver(product, sandbox);
  const published: Published[] = [];
  let cut = 0;
  const killedAt: number[] = [];
  const inbox = new Inbox(sandbox.url, PHONE);
  const dropping = { isOn: true };
  const dropped = dropOffers();
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(300 + 3_000 * Math.random());
    killedAt.push(Date.now());
    await product.kill();
    await product.start();
    if (kill % 10 !== 0) continue;
    await inbox.read().catch(() => {});
    console.log(`${kill} kills under ${published.length} offers`);
  }
  await pause(5_000);
  dropping.isOn = false;
  await dropped;
  await pause(SETTLE_MS);
  await inbox.read();
  const result = await readResult({ client, sandboxUrl: sandbox.url, texts: inbox.texts });
  const { lines, isGood } = verdictOn(result, { published, killedAt });
  for (const line of lines) console.log(line);
  if (cut > 0) console.log(`${cut} offers more, of which nothing is known: the sandbox did not answer`);
  process.exitCode = isGood ? 0 : 1;

  /** One offer after another, none of which overlaps any other. */
  async function dropOffers(): Promise<void> {
    while (dropping.isOn) {
      const number = published.length + cut;
      const startsAt = Date.now() + 12 * HOUR_MS + number * SLOT_MS;
      const payCents = 10_001 + number;
      const answer = await postJson<{ offerId: string }>(
        { fetch, origin: sandbox.url },
        "/sandbox/platform/offers",
        {
          warehouseId,
          startsAt: new Date(startsAt).toISOString(),
          expiresAt: new Date(Date.now() + OPEN_MS).toISOString(),
          minutes: 30,
          payCents,
        },
      ).catch(() => null);
      // A connection that the dying product shared may break.
      if (answer) published.push({ offerId: answer.offerId, payCents, at: Date.now() });
      else cut += 1;
      await pause(500 + 4_000 * Math.random());
    }
  }
} finally {
  await stop(process.exitCode === undefined ? 1 : Number(process.exitCode));
}

async function stop(code: number): Promise<void> {
  await product.dispose();
  await sandbox.stop();
  process.exit(code);
}
