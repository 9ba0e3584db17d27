import { parseArgs } from "node:util";
import { startSandbox } from "../sandbox-server.ts";
import { postJson } from "../support/sandbox-client.ts";
import { BooksCopy } from "./books.ts";
import { PHONE, switchOnDriver } from "./driver.ts";
import { Inbox } from "./inbox.ts";
import { Payers } from "./payers.ts";
import { readResult, verdictOn, type Published } from "./verdict.ts";
import { pause, Product } from "./product.ts";

// `npm run crash`: kills the built product at random moments and around the steps of payments, under offers that the sandbox
// drops all the time and drivers who pay. It judges by the sandbox's log, and the books by the database's file after each kill
// and by the simulated Stripe at the end. Needs `npm run build:sandbox`.
const { values } = parseArgs({ options: { kills: { type: "string", default: "200" } } });
const kills = Number(values.kills);

const HOUR_MS = 3_600_000;
/** From one offer's start to the next one's: no two overlap, and all start within the month that is read. */
const SLOT_MS = HOUR_MS / 2;
/** An offer stays open for longer than a start takes, so that none is lost to the time that the product is down. */
const OPEN_MS = 180_000;
const SETTLE_MS = 60_000;
/** A step of a payment comes within this time, on a busy machine too, unless its driver can't go on. */
const STEP_MS = 10_000;
/** The crons of payments, as in wrangler.toml: the first handles events that were cut off. */
const CRONS = ["* * * * *", "7 * * * *"];

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
  const payers = new Payers(sandbox);
  await payers.register(product);
  const payments = payers.run();
  const unsound = new Set<string>();
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(300 + 1_500 * Math.random());
    // Half of them in the midst of a payment's next step.
    if (kill % 2 === 0) await Promise.race([payers.nextStep(), pause(STEP_MS)]);
    await pause((kill % 2 === 0 ? 250 : 1_500) * Math.random());
    killedAt.push(Date.now());
    await product.kill();
    const books = new BooksCopy(product.databases);
    for (const found of books.judge()) unsound.add(found);
    books.dispose();
    await product.start();
    if (kill % 10 !== 0) continue;
    await inbox.read().catch(() => {});
    console.log(`${kill} kills under ${published.length} offers`);
  }
  await pause(5_000);
  dropping.isOn = false;
  payers.stop();
  await Promise.all([dropped, payments]);
  await pause(SETTLE_MS);
  for (const cron of CRONS) await product.runCron(cron);
  await inbox.read();
  const result = await readResult({ client, sandboxUrl: sandbox.url, texts: inbox.texts });
  const { lines, isGood } = verdictOn(result, { published, killedAt });
  for (const line of lines) console.log(line);
  if (cut > 0) console.log(`${cut} offers more, of which nothing is known: the sandbox did not answer`);
  await product.kill();
  const copy = new BooksCopy(product.databases);
  const { settled, entries } = copy.count();
  for (const found of [...copy.judge(), ...(await copy.compare(sandbox.url))]) unsound.add(found);
  copy.dispose();
  console.log(
    `${payers.paid} payments and ${payers.returned} returns; ${settled} settled, ${entries} entries`,
  );
  console.log(`wrong in the books after a kill or at the end: ${unsound.size}`);
  for (const found of unsound) console.log(`  ${found}`);
  process.exitCode = isGood && unsound.size === 0 ? 0 : 1;

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
