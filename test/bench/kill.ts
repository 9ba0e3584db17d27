import { Product, pause } from "../crash/product.ts";
import { switchOnDriver } from "../crash/driver.ts";
import { startSandbox } from "../sandbox-server.ts";

const INTERVAL_MS = 1_000;
/** Long enough after a start for a ticker to call and the alarm to stand behind it. */
const SETTLED_MS = 3_500;
const LOOK_MS = 20;

export type KillFigures = {
  tickers: number;
  kills: number;
  /** From the answer of a started product to the driver's next poll. */
  meanLostMs: number;
  mostLostMs: number;
};

/** Kills the built product, `kill -9`, and measures how long after each start the driver in turbo mode is polled for again. */
export async function benchKill({
  kills,
  tickers,
}: Pick<KillFigures, "kills" | "tickers">): Promise<KillFigures> {
  const sandbox = await startSandbox();
  const settings = { TICKERS: String(tickers), POLL_FLOOR_MS: String(INTERVAL_MS) };
  const product = await Product.prepare(sandbox.url, settings);
  try {
    await product.start();
    await switchOnDriver(product, sandbox);
    const lost: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(SETTLED_MS + INTERVAL_MS * Math.random());
      await product.kill();
      await product.start();
      lost.push(await nextPollAfter(sandbox.url, Date.now()));
    }
    return {
      kills,
      tickers,
      meanLostMs: lost.reduce((sum, each) => sum + each, 0) / lost.length,
      mostLostMs: Math.max(...lost),
    };
  } finally {
    await product.dispose();
    await sandbox.stop();
  }
}

/** How long after an instant the next poll reaches the platform; 0 where one came while the product was starting. */
async function nextPollAfter(sandboxUrl: string, startedAt: number): Promise<number> {
  for (;;) {
    const answer = await fetch(`${sandboxUrl}/sandbox/platform/polls?since=${startedAt - INTERVAL_MS}`);
    const { last } = (await answer.json()) as { last: number | null };
    if (last !== null) return Math.max(0, last - startedAt);
    await pause(LOOK_MS);
  }
}
